import type { SealedAnomalyRun } from '#lib/client/client.ts';
import { CHART_WIDTH, chartFigure } from '../chart-figure.ts';
import { lines, type LinesModel } from '../charts/lines.ts';
import { number } from '../charts/scale.ts';
import { bar } from '../charts/small.ts';
import { pill, words } from '../format.ts';
import { html, raw, type Html } from '../html.ts';
import type { PageContent } from '../page.ts';
import { recordView } from '../record-view.ts';
import { card, fact } from '../shell.ts';
import { empty } from '../states.ts';
import { table } from '../table.ts';
import { runHead } from './run-head.ts';
import type { RunResource } from './resource.ts';
import { seasonalPanels } from './seasonal-panels.ts';
import { sealCard } from './seal.ts';

type Run = SealedAnomalyRun & RunResource;
type Score = Run['result']['strangest'][number];

/** The most points of a chart. If there are more rows, each point stands for several rows and has their highest score. */
const POINTS_MAX = 600;
const HEIGHT = 260;

/** Returns the page of a sealed anomaly run: the scores by row, the values of a series, the strangest rows, and the seal. */
export function anomalyBody(run: Run, source: string): Pick<PageContent, 'title' | 'body'> {
  const { result, input } = run;
  const { strangest, ...rest } = result;
  const scores = run.scores ?? [];
  const series = seriesOf(input);
  const panels = series.length > 0 && seasonalPanels(run, series);
  const body = html`${runHead(run, 'Anomalies', [words(result.method)], true)}
    <dl class="facts">
      ${fact('Flagged', number(result.flagged), `of ${number(result.scored)} rows`)}
      ${fact('Reference', number(result.reference_rows), 'rows')}
      ${fact('Left out', number(result.left_out), 'rows without a value')}
    </dl>
    <div class="grid-2">
      ${card(
        { title: 'Scores', note: 'by row; rings mark flagged rows', className: 'wide' },
        scores.length === 0
          ? empty('The run has no scores of single rows.')
          : figure(scoreModel(scores), 'Anomaly score of each row.'),
      )}
      <div class="stack">${sealCard(run.seal, source)}${card({ title: 'Result' }, recordView(rest))}</div>
      ${
        !panels &&
        series.length > 0 &&
        scores.length === series.length &&
        card(
          { title: 'Values', note: `${input.columns[0]} by row; rings mark flagged rows`, className: 'full' },
          figure(valueModel(input.columns[0]!, series, scores), 'Value of each row.'),
        )
      }
      ${panels} ${card({ title: 'Strangest rows', className: 'full' }, strangestTable(strangest))}
    </div>`;
  return { title: 'Anomalies', body };
}

function figure(model: LinesModel, label: string): Html {
  const chart = lines(model, { width: CHART_WIDTH, height: HEIGHT });
  return chartFigure({ kind: 'lines', model, chart, height: HEIGHT, label });
}

/** Returns the scores as a line. The rings mark the points with a flagged row. */
export function scoreModel(scores: readonly Pick<Score, 'row' | 'score' | 'flagged'>[]): LinesModel {
  const size = Math.ceil(scores.length / POINTS_MAX);
  const groups = Array.from({ length: Math.ceil(scores.length / size) }, (_, index) =>
    scores.slice(index * size, (index + 1) * size),
  );
  return {
    scale: 'linear',
    labels: groups.map((group) => {
      const [first, last] = [group[0]!.row, group.at(-1)!.row];
      return first === last ? `row ${first}` : `rows ${first} to ${last}`;
    }),
    lines: [
      {
        name: 'score',
        values: groups.map((group) => Math.max(...group.map(({ score }) => score))),
        tone: 1,
      },
    ],
    rings: groups.flatMap((group, index) => (group.some(({ flagged }) => flagged) ? [index] : [])),
  };
}

/** Returns the values of the only column, if the request has its rows and they fit a chart; otherwise none. */
function seriesOf({ columns, rows, reference }: Run['input']): readonly number[] {
  const given = rows ?? reference ?? [];
  return columns.length === 1 && given.length <= POINTS_MAX ? given.map(([value]) => value!) : [];
}

function valueModel(name: string, values: readonly number[], scores: readonly Score[]): LinesModel {
  return {
    scale: 'linear',
    labels: values.map((_, row) => `row ${row}`),
    lines: [{ name, values, tone: 1 }],
    rings: scores.flatMap(({ row, flagged }) => (flagged ? [row] : [])),
  };
}

function strangestTable(rows: readonly Score[]): Html {
  const most = Math.max(0, ...rows.map(({ score }) => score));
  return table(
    'Strangest rows',
    [
      { heading: 'Row', isNumber: true, cell: ({ row }) => row },
      { heading: 'Score', isNumber: true, cell: ({ score }) => number(score, 3) },
      { heading: 'Share of the highest', cell: ({ score }) => raw(bar(most > 0 ? score / most : 0)) },
      { heading: 'p', isNumber: true, cell: ({ p_value }) => number(p_value, 4) },
      { heading: 'p, adjusted', isNumber: true, cell: ({ adjusted_p }) => number(adjusted_p, 4) },
      { heading: 'Flagged', cell: ({ flagged }) => (flagged ? pill('flagged') : 'no') },
      {
        heading: 'Contributions',
        cell: ({ top_columns: columns }) =>
          columns.map(({ column, contribution }) => `${column} ${number(contribution, 2)}`).join(', ') || '–',
      },
    ],
    rows,
    'tight',
  );
}
