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
  const dashes = [[], [6, 3], [2, 2], [8, 3, 2, 3]];
  const colourOf = series => css('--c' + (series % palette));
  const dashOf = series => dashes[Math.floor(series / palette) % dashes.length];

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
  const logTime = title => plain(title, v => time(Number(v)), {
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
    },
  });
  const options = (scales, label, more) => Object.assign({
    responsive: true, maintainAspectRatio: false, animation: false, normalized: true, scales,
    interaction: { mode: 'nearest', intersect: false },
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

  data.sweeps.forEach((sweep, w) => {
    const sets = field => data.series.map((series, s) => {
      const cells = sweep.points.map(p => data.points[p].cells.find(c => c.series === s));
      return line(s, 0, cells.map((c, i) => ({ x: sweep.depth[i], y: c ? c[field] : null })),
        { label: series.name, pointRadius: 3, spanGaps: true });
    }).filter(set => set.data.some(point => point.y !== null));
    const depths = () => {
      const a = plain('outstanding requests', v => (sweep.depth.includes(Number(v)) ? String(v) : ''),
        { type: 'logarithmic', min: sweep.depth[0], max: sweep.depth[sweep.depth.length - 1] });
      a.afterBuildTicks = scale => { scale.ticks = sweep.depth.map(value => ({ value })); };
      return a;
    };
    draw('plot-sweep-iops-' + w, () => ({
      type: 'line', data: { datasets: sets('iops') },
      options: options({ x: depths(), y: plain('I/Os per second', v => count(v), { beginAtZero: true }) },
        item => item.dataset.label + ': ' + count(item.parsed.y) + ' IOPS at ' + item.parsed.x),
    }));
    draw('plot-sweep-p99-' + w, () => ({
      type: 'line', data: { datasets: sets('p99') },
      options: options({ x: depths(), y: logTime('p99 latency') },
        item => item.dataset.label + ': ' + time(item.parsed.y) + ' at ' + item.parsed.x),
    }));
  });

  const line = (series, repeat, values, more) => Object.assign({
    data: values, borderColor: colourOf(series), backgroundColor: colourOf(series), borderDash: dashOf(series),
    borderWidth: repeat === 0 ? 2 : 1.25, pointRadius: 0, pointHitRadius: 8, tension: 0, spanGaps: false,
  }, more);

  data.points.forEach((point, p) => {
    draw('plot-percentiles-' + p, () => {
      const shown = data.percentiles.map((_, i) => i)
        .filter(i => point.cells.some(c => c.latency.some(l => l[i] !== null)));
      const sets = point.cells.flatMap(cell => cell.latency.map((values, r) =>
        line(cell.series, r, shown.map(i => values[i]), {
          label: nameOf(cell.series) + (cell.latency.length > 1 ? ' repeat ' + (r + 1) : ''), pointRadius: 3,
        })));
      return {
        type: 'line', data: { labels: shown.map(i => data.percentiles[i]), datasets: sets },
        options: options({ x: axis('share of requests that were at most this long'), y: logTime('latency') },
          item => item.dataset.label + ': ' + time(item.parsed.y)),
      };
    });
    const overTime = (field, extra) => point.cells.flatMap(cell => cell.runs.map((run, r) =>
      line(cell.series, r, run.t.map((t, i) => ({ x: t, y: run[field][i] })), Object.assign({
        label: nameOf(cell.series) + ', run ' + run.run,
      }, extra))));
    const seconds = () => axis('seconds since the measurement began', { type: 'linear', beginAtZero: true });
    draw('plot-iops-time-' + p, () => ({
      type: 'line', data: { datasets: overTime('iops') },
      options: options({ x: seconds(), y: plain('I/Os per second', v => count(v), { beginAtZero: true }) },
        item => item.dataset.label + ': ' + count(item.parsed.y) + ' IOPS'),
    }));
    draw('plot-latency-time-' + p, () => ({
      type: 'line',
      data: {
        datasets: overTime('mean').concat(overTime('p99', { borderDash: [3, 3] })
          .map(set => Object.assign(set, { label: set.label + ' p99' }))),
      },
      options: options({ x: seconds(), y: logTime('mean; p99 dashed') },
        item => item.dataset.label + ': ' + time(item.parsed.y)),
    }));
  });

  // Whether anything but the background was painted: the page's own check, which tests read.
  const painted = canvas => {
    const { data: pixels } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
    let n = 0;
    for (let i = 3; i < pixels.length; i += 4) if (pixels[i] !== 0) n += 1;
    return n;
  };

  let charts = [];
  const drawAll = () => {
    charts.forEach(chart => chart.destroy());
    Chart.defaults.font.family = getComputedStyle(document.body).fontFamily;
    Chart.defaults.color = css('--soft');
    charts = drawings.map(([id, make]) => {
      const canvas = document.getElementById(id);
      const chart = new Chart(canvas, make());
      canvas.dataset.painted = String(painted(canvas));
      return chart;
    });
    root.dataset.plots = charts.length + ' of ' + document.querySelectorAll('canvas').length;
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
  addEventListener('beforeprint', () => document.querySelectorAll('details').forEach(d => { d.open = true; }));
  document.querySelectorAll('details.numbers').forEach(details => { details.open = false; });
  reveal();
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', drawAll);
})();
