import type { SealedAnomalyRun } from '#lib/client/client.ts';
import { decompose } from '#lib/numerics/anomaly/seasonal-remainder.ts';
import { CHART_WIDTH, chartFigure } from '../chart-figure.ts';
import { lines, type LinesModel } from '../charts/lines.ts';
import { html, type Html } from '../html.ts';
import { card } from '../shell.ts';

/** The height of a panel, in pixels. */
const HEIGHT = 130;

type Run = Pick<SealedAnomalyRun, 'input' | 'result' | 'scores'>;

/**
 * Returns the card with the seasonal decomposition of the series of an anomaly run; nothing if the run did not decompose
 * the series as a whole.
 */
export function seasonalPanels(run: Run, values: readonly number[]): Html | false {
  const panels = panelsOf(run, values);
  if (panels.length === 0) return false;
  return card(
    {
      title: 'Trend, season and remainder',
      note: 'computed from the sealed input by the method of the run; rings mark flagged rows',
      className: 'full',
    },
    html`<div class="stack">
      ${panels.map(({ title, model }) => {
        const chart = lines(model, { width: CHART_WIDTH, height: HEIGHT });
        return html`<section aria-label="${title}">
          <h3 class="panel">${title}</h3>
          ${chartFigure({ kind: 'lines', model, chart, height: HEIGHT, label: `${title} by row.` })}
        </section>`;
      })}
    </div>`,
  );
}

/**
 * Returns the panels of the decomposition: the observed values and the remainder with the flagged rows, the trend, and the
 * season. The trend, the season and the remainder add up to the observed values.
 */
export function panelsOf(
  { input, result, scores = [] }: Run,
  values: readonly number[],
): { title: string; model: LinesModel }[] {
  const { period, reference, dataset } = input;
  const isWhole = result.method === 'stl_gesd' && !reference && !dataset;
  if (!isWhole || typeof period !== 'number' || values.length <= 2 * period) return [];
  const { trend, seasonal, remainder } = decompose(Float64Array.from(values), period);
  const labels = values.map((_, row) => `row ${row}`);
  const rings = scores.flatMap(({ row, flagged }) => (flagged ? [row] : []));
  const panel = (title: string, drawn: Iterable<number>, tone: number, marked: readonly number[] = []) => ({
    title,
    model: {
      scale: 'linear' as const,
      labels,
      lines: [{ name: title, values: [...drawn], tone }],
      rings: marked,
    },
  });
  return [
    panel('Observed', values, 1, rings),
    panel('Trend', trend, 2),
    panel('Season', seasonal, 3),
    panel('Remainder', remainder, 5, rings),
  ];
}
