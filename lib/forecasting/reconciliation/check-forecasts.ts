import { indexedSums } from './request-hierarchy.ts';
import { historyGap, ROUNDING_SHARE } from './history-gap.ts';
import { refused, type RefusedReconciliation } from './reconciliation-refusal.ts';
import type { SealedForecast } from './sealed-forecast.ts';
import type { ReconciliationInput } from './reconciliations.schema.ts';

type Checked = { ok: true } | { ok: false; refusal: RefusedReconciliation };

/**
 * Checks that the forecasts can be reconciled: they forecast the same periods with the same interval levels, in the same
 * unit and currency, and the history of every total is the sum of its parts.
 */
export function checkForecasts(input: ReconciliationInput, forecasts: readonly SealedForecast[]): Checked {
  const [first, ...others] = forecasts;
  for (const [at, other] of others.entries()) {
    const difference = differenceOf(first!, other);
    if (difference === undefined) continue;
    const [uid, other_uid] = [input.forecasts[0]!.forecast, input.forecasts[at + 1]!.forecast];
    const detail = `The forecasts ${uid} and ${other_uid} differ in ${difference}.`;
    return refused('forecasts_not_alike', detail, pointerOf(input.sums, other_uid));
  }
  const uids = input.forecasts.map(({ forecast }) => forecast);
  const gap = historyGap(
    indexedSums(input.sums, uids),
    forecasts.map(({ history }) => history),
  );
  if (!gap) return { ok: true };
  const detail = `In ${gap.period}, the total of sum ${gap.sum + 1} is ${gap.total}, but its parts add up to ${gap.parts}. A difference of up to ${100 * ROUNDING_SHARE} % is accepted.`;
  return refused('parts_do_not_add_up', detail, `/sums/${gap.sum}`, {
    observed: gap.parts,
    needed: gap.total,
  });
}

/** Returns the first property in which two forecasts differ; undefined if they can be reconciled. */
function differenceOf(
  { result: one }: SealedForecast,
  { result: other }: SealedForecast,
): string | undefined {
  if (one.frequency !== other.frequency) return `their frequency (${one.frequency} and ${other.frequency})`;
  if (one.periods.join() !== other.periods.join())
    return `their periods (${span(one.periods)} and ${span(other.periods)})`;
  const [levels, otherLevels] = [one, other].map(({ intervals }) =>
    intervals.map(({ level }) => level).join(),
  );
  if (levels !== otherLevels) return `their interval levels (${levels} and ${otherLevels})`;
  if (one.series.unit !== other.series.unit)
    return `their unit (${one.series.unit ?? 'none'} and ${other.series.unit ?? 'none'})`;
  if (one.series.currency !== other.series.currency)
    return `their currency (${one.series.currency ?? 'none'} and ${other.series.currency ?? 'none'})`;
  return undefined;
}

function span(periods: readonly string[]): string {
  return `${periods[0]} to ${periods.at(-1)}`;
}

/** Returns the JSON pointer to the first place of a forecast in the sums. */
function pointerOf(sums: ReconciliationInput['sums'], uid: string): string {
  for (const [at, { total, parts }] of sums.entries()) {
    if (total === uid) return `/sums/${at}/total`;
    const part = parts.indexOf(uid);
    if (part >= 0) return `/sums/${at}/parts/${part}`;
  }
  throw new Error(`no sum names the forecast ${uid}`);
}
