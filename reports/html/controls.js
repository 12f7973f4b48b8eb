'use strict';
// Switches, keys, printing and raw data of a raidscope report. Nothing is requested.
(() => {
  const plots = window.raidscopePlots;
  const root = document.documentElement;

  // Linear or logarithmic.
  document.querySelectorAll('button.switch').forEach(button => {
    const { plot, axis } = button.dataset;
    if (!plots || !plots.charts.has(plot)) { button.hidden = true; return; }
    const show = () => button.setAttribute('aria-pressed', String(plots.log(plot, axis)));
    button.addEventListener('click', () => {
      plots.choose(plot, axis, !plots.log(plot, axis));
      show();
    });
    show();
  });

  // Arrow keys walk along the points of a plot; what the point says is shown and read out.
  const says = document.getElementById('plot-says');
  const walk = (chart, step, turn) => {
    const sets = chart.data.datasets;
    const told = (d, i) => {
      const value = sets[d].data[i];
      return value !== null && value !== undefined && (typeof value !== 'object' || value.y !== null);
    };
    const at = chart.walked || { d: 0, i: -1 };
    let { d, i } = at;
    if (turn !== 0) {
      d = (d + turn + sets.length) % sets.length;
      i = Math.max(0, Math.min(i, sets[d].data.length - 1));
    }
    i += step;
    while (i >= 0 && i < sets[d].data.length && !told(d, i)) i += step || 1;
    if (i < 0 || i >= sets[d].data.length || !told(d, i)) return;
    chart.walked = { d, i };
    const element = chart.getDatasetMeta(d).data[i];
    const active = [{ datasetIndex: d, index: i }];
    chart.setActiveElements(active);
    chart.tooltip.setActiveElements(active, { x: element.x, y: element.y });
    chart.update('none');
    if (says) says.textContent = (chart.tooltip.title || []).concat(chart.tooltip.body.flatMap(part => part.lines)).join(' ');
  };
  const steps = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] };
  document.querySelectorAll('canvas').forEach(canvas => {
    canvas.addEventListener('keydown', event => {
      const chart = plots && plots.charts.get(canvas.id);
      if (!chart) return;
      if (event.key === 'Escape') {
        chart.setActiveElements([]);
        chart.tooltip.setActiveElements([], { x: 0, y: 0 });
        chart.walked = null;
        chart.update('none');
      } else if (steps[event.key]) {
        event.preventDefault();
        walk(chart, ...steps[event.key]);
      }
    });
  });

  // Paper is light, whatever the screen is, and has no folds.
  let folded = [];
  addEventListener('beforeprint', () => {
    folded = [...document.querySelectorAll('details:not([open])')];
    folded.forEach(details => { details.open = true; });
    root.classList.add('printing');
    if (plots) plots.drawAll();
  });
  addEventListener('afterprint', () => {
    root.classList.remove('printing');
    folded.forEach(details => { details.open = false; });
    if (plots) plots.drawAll();
  });

  // Raw data out of the page itself.
  const raw = document.getElementById('raw-data');
  const kinds = { json: ['application/json', 'raidscope-report.json'], csv: ['text/csv', 'raidscope-report.csv'] };
  document.querySelectorAll('button[data-download]').forEach(button => button.addEventListener('click', () => {
    const kind = button.dataset.download;
    const held = JSON.parse(raw.textContent)[kind];
    const [type, name] = kinds[kind];
    const url = URL.createObjectURL(new Blob([typeof held === 'string' ? held : JSON.stringify(held, null, 2) + '\n'], { type }));
    const link = document.createElement('a');
    link.href = url;
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(url), 10000);
  }));
})();
