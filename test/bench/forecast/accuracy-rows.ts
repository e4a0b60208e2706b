import { COMBINATION } from '#lib/forecasting/engine/method-catalogue.ts';
import type { Row } from '../bench.ts';
import { rowAbout } from './row-about.ts';
import { MSIS_OF_R, owaOfR, type GroupOwa } from './references.ts';
import type { SeriesRun } from './run-series.ts';
import { groupScore, owaOf, type SeriesScore } from './scores.ts';

const OWA_MAX = 0.79;
const SINGLE_MAX = 1.01;
const MSIS_SHARE_MAX = 0.75;
const COVERAGE = { min: 93, max: 97 };

export type Group = { name: string; runs: readonly SeriesRun[] };

/** Returns the groups of series: all series, then one group for each frequency. */
export function groupsOf(runs: readonly SeriesRun[]): Group[] {
  const byFrequency = Object.entries(Object.groupBy(runs, ({ series }) => series.frequency));
  return [{ name: 'all', runs }, ...byFrequency.map(([name, runs]) => ({ name, runs }))];
}

/**
 * Returns the rows of the bench: first OWA, MSIS and coverage of the combination, then the OWA of each
 * method. `isOwn`: whether the recorded figures of R are for these series.
 */
export function accuracyRows(groups: readonly Group[], isOwn: boolean): Row[] {
  const methods = new Set(groups[0]!.runs.flatMap(({ scores }) => [...scores.keys()]));
  methods.delete(COMBINATION);
  return [
    ...groups.map((group) => owaRow(group, COMBINATION, isOwn)),
    ...groups.flatMap((group) => intervalRows(group, COMBINATION, isOwn)),
    ...[...methods].flatMap((method) => groups.map((group) => owaRow(group, method, isOwn))),
    ...[...methods].flatMap((method) => intervalRows(groups[0]!, method, isOwn)),
  ];
}

function owaRow({ name, runs }: Group, method: string, isOwn: boolean): Row {
  const naive2 = scoresOf(runs, 'naive2');
  const scores = scoresOf(runs, method);
  const group = groupScore(scores);
  const figure = owaOf(scores, naive2);
  const peer = (isOwn && owaOfR[method]?.[name as keyof GroupOwa]) || null;
  const ratio = peer === null ? null : figure / peer;
  return {
    ...rowAbout(`OWA, ${method}, ${name}`, 'x'),
    figure,
    peer,
    ratio,
    ...owaTarget({ method, name, figure, ratio }),
    note: `sMAPE ${group.smape.toFixed(3)}, MASE ${group.mase.toFixed(4)}, ${group.series} series`,
  };
}

type Judged = { method: string; name: string; figure: number; ratio: number | null };

function owaTarget({ method, name, figure, ratio }: Judged): Pick<Row, 'target' | 'met'> {
  if (name !== 'all') return { target: null, met: null };
  if (method === COMBINATION) return { target: `<= ${OWA_MAX}`, met: figure <= OWA_MAX };
  if (ratio === null) return { target: null, met: null };
  return { target: `<= ${SINGLE_MAX} x`, met: ratio <= SINGLE_MAX };
}

function intervalRows({ name, runs }: Group, method: string, isOwn: boolean): Row[] {
  const { msis, coverage } = groupScore(scoresOf(runs, method));
  if (msis === null || coverage === null) return [];
  const isJudged = method === COMBINATION;
  const peer = isOwn && isJudged && name === 'all' ? MSIS_OF_R : null;
  const isByFrequency = isJudged && name !== 'all';
  return [
    {
      ...rowAbout(`MSIS at 95 %, ${method}, ${name}`, 'x'),
      figure: msis,
      peer,
      ratio: peer && msis / peer,
      target: peer && `<= ${MSIS_SHARE_MAX} x`,
      met: peer && msis <= MSIS_SHARE_MAX * peer,
    },
    {
      ...rowAbout(`coverage at 95 %, ${method}, ${name}`, '%'),
      figure: coverage,
      target: isByFrequency ? `${COVERAGE.min} to ${COVERAGE.max}` : null,
      met: isByFrequency ? coverage >= COVERAGE.min && coverage <= COVERAGE.max : null,
    },
  ];
}

/**
 * The method that replaces a seasonal method if a series has no season. The pool then contains only the
 * replacement and not the seasonal method.
 */
const WITHOUT_SEASON: Readonly<Record<string, string>> = {
  arima_adjusted: 'arima',
  ces_adjusted: 'ces',
  holt_winters_additive: 'holt',
};

/**
 * Returns the scores of a method. For a series that the method cannot forecast, the scores of Naive2 are
 * used.
 */
function scoresOf(runs: readonly SeriesRun[], method: string): SeriesScore[] {
  return runs.map(
    ({ scores }) => scores.get(method) ?? scores.get(WITHOUT_SEASON[method] ?? '') ?? scores.get('naive2')!,
  );
}
