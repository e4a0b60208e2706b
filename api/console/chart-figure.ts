import { data, html, raw, type Html } from './html.ts';
import type { Chart } from './charts/scale.ts';

type Figure = {
  /** The name of the chart function. The browser calls it to draw the chart again for the available width. */
  kind: 'fan' | 'lines';
  model: object;
  chart: Chart;
  height: number;
  /** A description of the chart for screen readers. */
  label: string;
};

/** The width of charts that the server draws, in pixels. */
export const CHART_WIDTH = 800;

/**
 * Returns a chart that the server has drawn, with the model from which the browser draws it again. The arrow keys show
 * its values.
 */
export function chartFigure({ kind, model, chart, height, label }: Figure): Html {
  return html`<figure
    class="chart"
    data-chart="${kind}"
    data-height="${height}"
    tabindex="0"
    role="group"
    aria-label="${label} The left and right arrow keys read its values."
  >
    <div class="plot">${raw(chart.markup)}</div>
    ${data(model)}
  </figure>`;
}
