import { fan } from '../charts/fan.ts';
import { lines } from '../charts/lines.ts';
import type { Chart, Size } from '../charts/scale.ts';
import { speak } from './speak.ts';
import { trusted } from './trusted.ts';

const functions: Readonly<Record<string, (model: never, size: Size) => Chart>> = { fan, lines };

/**
 * Draws each chart for the available width, and shows the values at the pointer or at the position selected with the
 * arrow keys.
 */
export function drawCharts(): void {
  for (const figure of document.querySelectorAll<HTMLElement>('[data-chart]')) drawChart(figure);
}

function drawChart(figure: HTMLElement): void {
  const draw = functions[figure.dataset['chart'] ?? ''];
  const plot = figure.querySelector<HTMLElement>('.plot');
  const model = figure.querySelector('script')?.textContent;
  if (!draw || !plot || !model) return;
  const parsed = JSON.parse(model) as never;
  const heightMax = Number(figure.dataset['height']);
  let chart: Chart | undefined;
  let position = -1;
  let width = 0;

  new ResizeObserver(() => {
    const room = Math.round(plot.clientWidth);
    if (room === 0 || room === width) return;
    width = room;
    chart = draw(parsed, { width, height: Math.min(heightMax, Math.max(180, Math.round(width * 0.62))) });
    plot.innerHTML = trusted(chart.markup);
    position = -1;
  }).observe(plot);

  const select = (next: number): void => {
    if (!chart) return;
    position = Math.max(0, Math.min(chart.columns.length - 1, next));
    mark(plot, chart, position);
  };
  const clear = (): void => {
    for (const each of plot.querySelectorAll('.cross, .tip')) each.remove();
  };

  plot.addEventListener('pointermove', (event) => {
    if (!chart) return;
    const x = event.clientX - plot.getBoundingClientRect().left;
    select(nearest(chart, x));
  });
  plot.addEventListener('pointerleave', clear);
  figure.addEventListener('blur', clear);
  figure.addEventListener('keydown', (event) => {
    if (!chart) return;
    if (event.key === 'Escape') clear();
    const next = moved(event.key, position, chart.columns.length - 1);
    if (next === undefined) return;
    event.preventDefault();
    select(next);
    const { label, figures } = chart.columns[position]!;
    speak(`${label}: ${figures.map(([name, value]) => `${name} ${value}`).join(', ')}`);
  });
}

/**
 * Returns the position that a key leads to; undefined for other keys. The first arrow key selects the last position.
 */
function moved(key: string, position: number, last: number): number | undefined {
  const from = position < 0 ? last : position;
  if (key === 'ArrowLeft') return position < 0 ? last : from - 1;
  if (key === 'ArrowRight') return from + 1;
  if (key === 'Home') return 0;
  if (key === 'End') return last;
  if (key === 'PageUp') return from - 12;
  return key === 'PageDown' ? from + 12 : undefined;
}

function nearest({ columns }: Chart, x: number): number {
  let best = 0;
  for (const [index, column] of columns.entries())
    if (Math.abs(column.x - x) < Math.abs(columns[best]!.x - x)) best = index;
  return best;
}

/** Shows the crosshair and the figures of a position. */
function mark(plot: HTMLElement, chart: Chart, position: number): void {
  for (const each of plot.querySelectorAll('.cross, .tip')) each.remove();
  const { x, label, figures, marks } = chart.columns[position]!;
  const cross = document.createElementNS('http://www.w3.org/2000/svg', 'g');
  cross.setAttribute('class', 'cross');
  const dots = marks.map(([y, className]) => `<circle class="${className}" cx="${x}" cy="${y}" r="3.5"/>`);
  cross.innerHTML = trusted(
    `<line x1="${x}" x2="${x}" y1="${chart.top}" y2="${chart.bottom}"/>${dots.join('')}`,
  );
  plot.querySelector('svg')?.append(cross);
  const tip = document.createElement('div');
  tip.className = 'tip';
  const heading = document.createElement('b');
  heading.textContent = label;
  const list = document.createElement('dl');
  for (const [name, value, key] of figures) {
    const [term, description] = [document.createElement('dt'), document.createElement('dd')];
    term.textContent = name;
    if (key !== undefined) term.className = key;
    description.textContent = value;
    list.append(term, description);
  }
  tip.append(heading, list);
  plot.append(tip);
  const room = plot.clientWidth - tip.offsetWidth - 4;
  const left = x + 14 > room ? x - tip.offsetWidth - 14 : x + 14;
  tip.style.left = `${Math.max(4, Math.min(room, left))}px`;
  tip.style.top = `${chart.top + 6}px`;
}
