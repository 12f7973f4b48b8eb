'use strict';
// Draws the plots of a raidscope report. All text stands in the page already; this only paints numbers
// that a table beside each plot has too. Nothing is requested.
(() => {
  const root = document.documentElement;
  const data = JSON.parse(document.getElementById('plot-data').textContent);
  if (typeof Chart === 'undefined') return;
  root.classList.add('js');

  const css = name => getComputedStyle(root).getPropertyValue(name).trim();
  const palette = 8;
  // Dashes and markers tell the lines apart where colours do not: in print, and for many eyes.
  const dashes = [[], [7, 3], [2, 2], [9, 3, 2, 3]];
  const markers = ['circle', 'rect', 'triangle', 'rectRot', 'cross', 'crossRot', 'star'];
  const colourOf = series => css('--c' + (series % palette));
  const dashOf = series => dashes[series % dashes.length];
  const markerOf = series => markers[series % markers.length];

  const digits = v => (Math.abs(v) >= 100 ? v.toFixed(0) : String(Number(v.toPrecision(3))));
  const count = v => {
    if (v === null) return 'unknown';
    if (Math.abs(v) >= 1e6) return digits(v / 1e6) + ' M';
    if (Math.abs(v) >= 1e4) return digits(v / 1e3) + ' k';
    return digits(v).replace(/\B(?=(\d{3})+$)/g, ',');
  };
  const time = us => {
    if (us === null) return 'unknown';
    if (us < 1e3) return digits(us) + ' µs';
    if (us < 1e6) return digits(us / 1e3) + ' ms';
    return digits(us / 1e6) + ' s';
  };

  // Least to greatest of the repeats as a whisker, and the value in figures at the end of its bar.
  const whiskers = {
    id: 'whiskers',
    afterDatasetsDraw(chart) {
      const { ctx, scales: { x } } = chart;
      ctx.save();
      chart.data.datasets.forEach((set, d) => {
        chart.getDatasetMeta(d).data.forEach((bar, i) => {
          const cell = set.cells && set.cells[i];
          if (!cell || cell.iops === null) return;
          let end = bar.x;
          if (cell.n > 1) {
            const low = x.getPixelForValue(cell.low), high = x.getPixelForValue(cell.high);
            const half = Math.min(5, bar.height / 3);
            ctx.strokeStyle = css('--ink');
            ctx.lineWidth = 1.25;
            ctx.beginPath();
            ctx.moveTo(low, bar.y); ctx.lineTo(high, bar.y);
            ctx.moveTo(low, bar.y - half); ctx.lineTo(low, bar.y + half);
            ctx.moveTo(high, bar.y - half); ctx.lineTo(high, bar.y + half);
            ctx.stroke();
            end = Math.max(end, high);
          }
          ctx.fillStyle = css('--ink');
          ctx.font = '12px ' + Chart.defaults.font.family;
          ctx.textBaseline = 'middle';
          ctx.fillText(count(cell.iops), end + 6, bar.y);
        });
      });
      ctx.restore();
    },
  };

  // What a plugin painted, for the page's own check, which tests read.
  const told = (chart, what, number) => { chart.canvas.dataset[what] = String(number); };

  // Intervals: a band with edges, so that it is seen without colour; a bar where it is one point.
  const bands = {
    id: 'bands',
    beforeDatasetsDraw(chart) {
      const { ctx, scales: { x, y }, chartArea } = chart;
      let drawn = 0;
      ctx.save();
      ctx.beginPath();
      ctx.rect(chartArea.left, chartArea.top, chartArea.width, chartArea.height);
      ctx.clip();
      chart.data.datasets.forEach(set => {
        const known = (set.band || []).filter(point => point.range);
        if (known.length === 0) return;
        drawn += 1;
        const at = (point, end) => [x.getPixelForValue(point.x), y.getPixelForValue(point.range[end])];
        ctx.strokeStyle = ctx.fillStyle = set.borderColor;
        ctx.lineWidth = 1;
        ctx.setLineDash([]);
        if (known.length > 1) {
          ctx.beginPath();
          known.forEach(point => ctx.lineTo(...at(point, 0)));
          known.slice().reverse().forEach(point => ctx.lineTo(...at(point, 1)));
          ctx.closePath();
          ctx.globalAlpha = 0.16;
          ctx.fill();
          ctx.globalAlpha = 0.5;
          ctx.stroke();
        }
        ctx.globalAlpha = 0.9;
        known.forEach(point => {
          const [left, low] = at(point, 0), [, high] = at(point, 1);
          ctx.beginPath();
          ctx.moveTo(left, low); ctx.lineTo(left, high);
          ctx.moveTo(left - 3, low); ctx.lineTo(left + 3, low);
          ctx.moveTo(left - 3, high); ctx.lineTo(left + 3, high);
          ctx.stroke();
        });
        ctx.globalAlpha = 1;
      });
      ctx.restore();
      told(chart, 'bands', drawn);
    },
  };

  // Rounds as ticks along the top, the steady-state window as a shaded part with its edges.
  const windows = {
    id: 'windows',
    beforeDatasetsDraw(chart) {
      const { ctx, scales: { x }, chartArea: area } = chart;
      const runs = chart.options.windows || [];
      let steady = 0, rounds = 0;
      ctx.save();
      ctx.font = '11px ' + Chart.defaults.font.family;
      ctx.textBaseline = 'top';
      const said = new Set(), shaded = new Set();
      runs.forEach(run => {
        if (!run.steady) return;
        steady += 1;
        // Repeats of one length have the same window: it is shaded once.
        const place = [run.steady.from.toFixed(1), run.steady.to.toFixed(1), run.steady.reached].join();
        if (shaded.has(place)) return;
        shaded.add(place);
        const from = x.getPixelForValue(run.steady.from), to = x.getPixelForValue(run.steady.to);
        ctx.fillStyle = ctx.strokeStyle = css('--soft');
        ctx.globalAlpha = 0.13 / shaded.size;
        ctx.fillRect(from, area.top, to - from, area.height);
        ctx.globalAlpha = 0.7;
        ctx.setLineDash([4, 3]);
        ctx.beginPath();
        ctx.moveTo(from, area.top); ctx.lineTo(from, area.bottom);
        ctx.moveTo(to, area.top); ctx.lineTo(to, area.bottom);
        ctx.stroke();
        ctx.globalAlpha = 1;
        const words = run.steady.reached === null ? 'window' : run.steady.reached ? 'steady' : 'not steady';
        if (!said.has(words) && ctx.measureText(words).width < to - from - 8) {
          ctx.fillText(words, from + 4, area.bottom - 15 - 12 * said.size);
          said.add(words);
        }
      });
      ctx.setLineDash([]);
      const marked = runs.find(run => run.rounds && run.rounds.length > 0);
      if (marked) {
        ctx.strokeStyle = ctx.fillStyle = css('--soft');
        ctx.textAlign = 'center';
        marked.rounds.forEach(([from, to], i) => {
          rounds += 1;
          const left = x.getPixelForValue(from), right = x.getPixelForValue(to);
          ctx.beginPath();
          ctx.moveTo(right, area.top); ctx.lineTo(right, area.top + 9);
          if (i === 0) { ctx.moveTo(left, area.top); ctx.lineTo(left, area.top + 9); }
          ctx.stroke();
          if (right - left > 14) ctx.fillText(String(i + 1), (left + right) / 2, area.top + 1);
        });
      }
      ctx.restore();
      told(chart, 'steady', steady);
      told(chart, 'rounds', rounds);
    },
  };

  const disks = value => digits(value);
  // Where two arms cross: a line at the estimate, its interval hatched. An end that is null lies
  // outside of what was measured.
  const crossing = {
    id: 'crossing',
    beforeDatasetsDraw(chart) {
      const { ctx, scales: { x }, chartArea: area } = chart;
      const found = chart.options.crossover;
      if (!found) { told(chart, 'crossover', 0); return; }
      const inside = value => Math.min(area.right, Math.max(area.left, x.getPixelForValue(value)));
      const low = found.low === null ? area.left : inside(found.low);
      const high = found.high === null ? area.right : inside(found.high);
      ctx.save();
      ctx.beginPath();
      ctx.rect(low, area.top, Math.max(1, high - low), area.height);
      ctx.clip();
      ctx.strokeStyle = css('--ink');
      ctx.globalAlpha = 0.22;
      ctx.lineWidth = 1;
      ctx.beginPath();
      for (let at = low - area.height; at < high; at += 7) {
        ctx.moveTo(at, area.bottom); ctx.lineTo(at + area.height, area.top);
      }
      ctx.stroke();
      ctx.restore();
      ctx.save();
      ctx.strokeStyle = ctx.fillStyle = css('--ink');
      if (found.estimate !== null) {
        ctx.lineWidth = 1.5;
        ctx.beginPath();
        ctx.moveTo(inside(found.estimate), area.top); ctx.lineTo(inside(found.estimate), area.bottom);
        ctx.stroke();
      }
      const range = (found.low === null ? 'below' : disks(found.low)) + ' to ' + (found.high === null ? 'beyond' : disks(found.high));
      const words = (found.estimate === null ? 'crossover' : 'crossover ' + disks(found.estimate)) + ' (' + range + ')';
      ctx.font = '600 12px ' + Chart.defaults.font.family;
      const middle = found.estimate === null ? (low + high) / 2 : inside(found.estimate);
      const width = ctx.measureText(words).width;
      const left = Math.max(area.left, Math.min(area.right - width, middle - width / 2));
      ctx.textBaseline = 'bottom';
      ctx.fillText(words, left, area.top - 3);
      ctx.restore();
      told(chart, 'crossover', 1);
    },
  };

  // The letter of a series at the end of its line, each in a place of its own.
  const letters = {
    id: 'letters',
    afterDatasetsDraw(chart) {
      if (!chart.options.letters) return;
      const { ctx, chartArea: area } = chart;
      const taken = [];
      ctx.save();
      ctx.font = '600 12px ' + Chart.defaults.font.family;
      ctx.textBaseline = 'middle';
      chart.data.datasets.forEach((set, d) => {
        if (!set.letter) return;
        const shown = chart.getDatasetMeta(d).data.filter((_, i) => {
          const value = set.data[i];
          return value !== null && (typeof value !== 'object' || value.y !== null);
        });
        if (shown.length === 0) return;
        const last = shown[shown.length - 1];
        let y = last.y;
        while (taken.some(other => Math.abs(other - y) < 12)) y += 12;
        if (y > area.bottom) y = last.y;
        taken.push(y);
        ctx.fillStyle = set.borderColor;
        ctx.fillText(set.letter, last.x + 7, y);
      });
      ctx.restore();
    },
  };

  const axis = (title, more) => Object.assign({
    title: { display: true, text: title, color: css('--soft') },
    grid: { color: css('--grid'), borderColor: css('--line') },
    ticks: { color: css('--soft'), maxRotation: 0 },
  }, more);
  const plain = (title, format, more) => {
    const a = axis(title, more);
    a.ticks = Object.assign({}, a.ticks, { callback: format });
    return a;
  };
  // Marks 1, 2 and 5 of each decade, or decades alone where there are many, so that a log axis stays readable.
  const logAxis = (title, format, more) => plain(title, v => format(Number(v)), Object.assign({
    type: 'logarithmic',
    afterBuildTicks(scale) {
      const first = Math.floor(Math.log10(scale.min)), last = Math.ceil(Math.log10(scale.max));
      if (!Number.isFinite(first) || !Number.isFinite(last)) return;
      const steps = last - first <= 2 ? [1, 2, 5] : last - first <= 4 ? [1, 3] : [1];
      scale.ticks = [];
      for (let decade = first; decade <= last; decade += 1) {
        for (const step of steps) {
          const value = step * 10 ** decade;
          if (value >= scale.min && value <= scale.max) scale.ticks.push({ value });
        }
      }
      if (scale.ticks.length < 2) scale.ticks = [{ value: scale.min }, { value: scale.max }];
    },
  }, more));
  // Which axes somebody switched, by plot; the others are as they are usually.
  const chosen = {};
  const isLog = (id, which, usual) => (chosen[id] && which in chosen[id] ? chosen[id][which] : usual);
  const valueAxis = (id, title, format, usual, sets) => {
    // The scale must hold the bands too.
    const ends = sets.flatMap(set => (set.band || []).flatMap(point => point.range || []));
    const fit = ends.length > 0 ? { suggestedMin: Math.min(...ends), suggestedMax: Math.max(...ends) } : {};
    return isLog(id, 'y', usual) ? logAxis(title, format, fit)
      : plain(title, v => format(v), Object.assign({ beginAtZero: true }, fit, { suggestedMin: 0 }));
  };
  const numberAxis = (id, title, values, usual) => {
    const log = isLog(id, 'x', usual);
    const a = plain(title, v => (values.includes(Number(v)) ? String(v) : ''), {
      type: log ? 'logarithmic' : 'linear', min: values[0], max: values[values.length - 1],
    });
    a.ticks.autoSkip = true;
    a.afterBuildTicks = scale => { scale.ticks = values.map(value => ({ value })); };
    return a;
  };
  const plugins = [bands, windows, crossing, letters];
  const options = (scales, label, more) => Object.assign({
    responsive: true, maintainAspectRatio: false, animation: false, normalized: true, scales,
    interaction: { mode: 'nearest', intersect: false }, layout: { padding: { right: 22, top: 4 } }, letters: true,
    plugins: { legend: { display: false }, tooltip: { callbacks: { label } } },
  }, more);
  const nameOf = series => data.series[series].name;

  const drawings = [];
  const draw = (id, make) => { if (document.getElementById(id)) drawings.push([id, make]); };

  draw('plot-iops', () => {
    const sets = data.series.map((series, s) => {
      const cells = data.points.map(p => p.cells.find(c => c.series === s) || null);
      return {
        label: series.name, cells, data: cells.map(c => (c ? c.iops : null)), backgroundColor: colourOf(s),
        borderRadius: 3, maxBarThickness: 20, skipNull: true, categoryPercentage: 0.78, barPercentage: 0.9,
      };
    });
    return {
      type: 'bar', plugins: [whiskers],
      data: { labels: data.points.map(p => p.name), datasets: sets },
      options: options({
        x: plain('I/Os per second', v => count(v),
          { beginAtZero: true, grace: '12%' }),
        y: axis('', { grid: { display: false }, ticks: { color: css('--ink'), autoSkip: false } }),
      }, item => {
        const cell = item.dataset.cells[item.dataIndex];
        const range = cell.n > 1 ? ', ' + cell.n + ' repeats from ' + count(cell.low) + ' to ' + count(cell.high) : '';
        return item.dataset.label + ': ' + count(cell.iops) + ' IOPS' + range;
      }, { indexAxis: 'y', layout: { padding: { right: 24 } } }),
    };
  });

  const rangeWords = (range, format) => (range ? ', 95 % interval ' + format(range[0]) + ' to ' + format(range[1]) : ', no interval');
  // One number of every series over something, with its band; p99 without one.
  const curves = (rows, field) => rows.map(row => {
    const values = row.points.map(point => ({ x: point.x, y: point[field] }));
    const range = point => point[field + '_range'] || null;
    return line(row.series, 0, values, {
      label: row.name, letter: row.letter, pointRadius: 3.5, spanGaps: true,
      band: row.points.map(point => ({ x: point.x, range: range(point) })),
      says: row.points.map(point => rangeWords(range(point), field === 'iops' ? count : time)
        + (point.n ? ', ' + point.n + (point.n === 1 ? ' run' : ' runs') : '')),
    });
  }).filter(set => set.data.some(point => point.y !== null));
  const tails = rows => rows.map(row => line(row.series, 1, row.points.map(point => ({ x: point.x, y: point.p99 })), {
    label: row.name + ' p99', pointRadius: 2, borderWidth: 1, spanGaps: true, says: row.points.map(() => ''),
  })).filter(set => set.data.some(point => point.y !== null));
  const overNumber = (id, rows, title, more) => {
    const values = [...new Set(rows.flatMap(row => row.points.map(point => point.x)))].sort((a, b) => a - b);
    const usual = title !== 'disks';
    const unit = title === 'disks' ? ' disks' : ' outstanding';
    draw(id('iops'), () => {
      const sets = curves(rows, 'iops');
      return {
        type: 'line', plugins, data: { datasets: sets },
        options: options({
          x: numberAxis(id('iops'), title, values, usual),
          y: valueAxis(id('iops'), 'I/Os per second', count, false, sets),
        }, item => item.dataset.label + ': ' + count(item.parsed.y) + ' IOPS at ' + item.parsed.x + unit
          + item.dataset.says[item.dataIndex], more),
      };
    });
    draw(id('latency'), () => {
      const sets = curves(rows, 'mean').concat(tails(rows));
      return {
        type: 'line', plugins, data: { datasets: sets },
        options: options({
          x: numberAxis(id('latency'), title, values, usual),
          y: valueAxis(id('latency'), 'latency: mean, p99 thin', time, true, sets),
        }, item => item.dataset.label + ': ' + time(item.parsed.y) + ' at ' + item.parsed.x + unit
          + item.dataset.says[item.dataIndex], more),
      };
    });
  };

  data.sweeps.forEach((sweep, w) => {
    const rows = data.series.map((series, s) => ({
      series: s, name: series.name, letter: series.letter,
      points: sweep.points.map((p, i) => [data.points[p].cells.find(c => c.series === s), sweep.depth[i]])
        .filter(([cell]) => cell).map(([cell, depth]) => Object.assign({}, cell, { x: depth })),
    })).filter(row => row.points.length > 0);
    overNumber(what => 'plot-sweep-' + what + '-' + w, rows, 'outstanding requests', {});
  });

  data.disks.forEach((found, w) => {
    const rows = found.arms.map((arm, a) => ({ series: a, name: arm.name, letter: '', points: arm.points }));
    overNumber(what => 'plot-disks-' + what + '-' + w, rows, 'disks', {
      crossover: found.crossover, letters: false,
      plugins: {
        legend: {
          display: true, position: 'bottom',
          labels: { usePointStyle: true, boxHeight: 7, color: css('--ink'), filter: item => !item.text.endsWith(' p99') },
        },
        tooltip: { callbacks: { label: item => item.dataset.label + ': '
          + (item.chart.canvas.id.includes('iops') ? count(item.parsed.y) + ' IOPS' : time(item.parsed.y))
          + ' at ' + item.parsed.x + ' disks' + item.dataset.says[item.dataIndex] } },
      },
      layout: { padding: { top: found.crossover ? 20 : 4, right: 10 } },
    });
  });

  const line = (series, repeat, values, more) => Object.assign({
    data: values, borderColor: colourOf(series), backgroundColor: colourOf(series), borderDash: dashOf(series),
    pointStyle: markerOf(series), borderWidth: repeat === 0 ? 2 : 1.25, pointRadius: 0, pointHitRadius: 8, tension: 0, spanGaps: false,
  }, more);

  data.points.forEach((point, p) => {
    draw('plot-percentiles-' + p, () => {
      const shown = data.percentiles.map((_, i) => i)
        .filter(i => point.cells.some(c => c.latency.some(l => l[i] !== null)));
      const sets = point.cells.flatMap(cell => cell.latency.map((values, r) =>
        line(cell.series, r, shown.map(i => values[i]), {
          label: nameOf(cell.series) + (cell.latency.length > 1 ? ' repeat ' + (r + 1) : ''), pointRadius: 3,
          letter: r === 0 ? data.series[cell.series].letter : '',
        })));
      return {
        type: 'line', plugins, data: { labels: shown.map(i => data.percentiles[i]), datasets: sets },
        options: options({
          x: axis('share of requests that were at most this long'),
          y: valueAxis('plot-percentiles-' + p, 'latency', time, true, []),
        },
          item => item.dataset.label + ': ' + time(item.parsed.y)),
      };
    });
    const overTime = (field, extra) => point.cells.flatMap(cell => cell.runs.map((run, r) =>
      line(cell.series, r, run.t.map((t, i) => ({ x: t, y: run[field][i] })), Object.assign({
        label: nameOf(cell.series) + ', run ' + run.run, letter: r === 0 ? data.series[cell.series].letter : '',
      }, extra))));
    const seconds = () => axis('seconds since the measurement began', { type: 'linear', beginAtZero: true });
    const measured = point.cells.flatMap(cell => cell.runs);
    draw('plot-iops-time-' + p, () => ({
      type: 'line', plugins, data: { datasets: overTime('iops') },
      options: options({
        x: seconds(), y: valueAxis('plot-iops-time-' + p, 'I/Os per second', count, false, []),
      }, item => item.dataset.label + ': ' + count(item.parsed.y) + ' IOPS', { windows: measured }),
    }));
    draw('plot-latency-time-' + p, () => ({
      type: 'line', plugins,
      data: {
        datasets: overTime('mean').concat(overTime('p99', { borderWidth: 1 })
          .map(set => Object.assign(set, { label: set.label + ' p99', letter: '' }))),
      },
      options: options({
        x: seconds(), y: valueAxis('plot-latency-time-' + p, 'mean; p99 thin', time, true, []),
      }, item => item.dataset.label + ': ' + time(item.parsed.y), { windows: measured }),
    }));
  });

  // Whether anything but the background was painted: the page's own check, which tests read.
  const painted = canvas => {
    const { data: pixels } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
    let n = 0;
    for (let i = 3; i < pixels.length; i += 4) if (pixels[i] !== 0) n += 1;
    return n;
  };

  const charts = new Map();
  const drawOne = (id, make) => {
    if (charts.has(id)) charts.get(id).destroy();
    const canvas = document.getElementById(id);
    charts.set(id, new Chart(canvas, make()));
    if (!canvas.dataset.painted) canvas.dataset.painted = String(painted(canvas));
  };
  const drawAll = () => {
    Chart.defaults.font.family = getComputedStyle(document.body).fontFamily;
    Chart.defaults.color = css('--soft');
    drawings.forEach(([id, make]) => drawOne(id, make));
    root.dataset.plots = charts.size + ' of ' + document.querySelectorAll('canvas').length;
  };
  const tall = document.getElementById('plot-iops');
  if (tall) {
    const bars = data.points.reduce((n, point) => n + Math.max(1, point.cells.length), 0);
    tall.parentNode.style.height = Math.max(140, 70 + bars * 24 + data.points.length * 10) + 'px';
  }
  drawAll();
  const reveal = () => {
    const named = location.hash.length > 1 && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (named && named.tagName === 'DETAILS') named.open = true;
  };
  addEventListener('hashchange', reveal);
  document.querySelectorAll('details.numbers').forEach(details => { details.open = false; });
  reveal();
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', drawAll);

  // For controls.js.
  window.raidscopePlots = {
    charts, drawAll,
    log: (id, which) => { const scale = charts.get(id).scales[which]; return Boolean(scale) && scale.type === 'logarithmic'; },
    choose(id, which, log) {
      chosen[id] = Object.assign({}, chosen[id], { [which]: log });
      const found = drawings.find(([one]) => one === id);
      if (found) drawOne(...found);
    },
  };
})();
