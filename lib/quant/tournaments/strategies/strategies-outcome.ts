import { dateOfDayNumber } from '#lib/core/date.ts';
import { sharpeLosses } from '#lib/numerics/comparison/forecast-losses.ts';
import { lossTable, rankedOutcome } from '../tournament-outcome.ts';
import { tooFew } from '../tournament-refusals.ts';
import type { Disqualification, ScoredOrigin } from '../collect-losses.ts';
import type { StrategyFailureReason } from '../outcome-codes.ts';
import type { TournamentInput } from '../tournament-input.schema.ts';
import type { TournamentLosses, TournamentResult } from '../tournament-result.schema.ts';
import { enteredStrategies } from './equal-weight.ts';
import { strategiesHash, type StrategiesData } from './strategies-data.ts';
import { simulationsOf, strategyCurves, type StrategyCurve } from './strategy-curves.ts';
import { chosenVariants, commonDays, originReturns, sessionOrigins, valuesOn } from './strategy-origins.ts';
import { trialsOf } from './strategy-trials.ts';

/** The name of the target of a tournament of strategies. */
const RETURNS = 'returns';

/** An entry at the origins: its losses and its choices, or the reason why it is disqualified at an origin. */
type Scored =
  | { ok: true; losses: Float64Array; chosen: number[] }
  | { ok: false; reason: StrategyFailureReason; place: number };

/**
 * Returns the outcome of a tournament of strategies from the numbers of all simulations. The losses are computed from
 * the returns after the common origins, and are hashed before any rank is computed. An entry is disqualified if one of
 * its simulations was refused, if it has no value left at an origin, or if its returns do not vary.
 */
export function strategiesOutcome(input: TournamentInput, data: StrategiesData, numbers: Float64Array) {
  const entered = enteredStrategies(input);
  const curves = strategyCurves(input, numbers);
  const simulations = simulationsOf(input);
  const ofEntry = entered.entries.map((_, entry) =>
    curves.filter((_, at) => simulations[at]!.entry === entry),
  );
  const simulated = ofEntry.flatMap((own) => (own.every(isSimulated) ? own : [])).filter(isSimulated);
  const days = commonDays(simulated);
  const hasVariants = entered.entries.some(({ strategy }) => strategy.variants.length > 0);
  const origins = sessionOrigins(days.length, input, hasVariants);
  const dayOf = (place: number) =>
    origins.length > 0 ? dateOfDayNumber(days[origins[place]! - 1]!) : input.strategies!.from;
  const scored = ofEntry.map((own) => scoredEntry(own, { days, origins, input }));
  const disqualified = scored.flatMap((each, entry): Disqualification<StrategyFailureReason>[] =>
    each.ok ? [] : [{ entry, series: 0, origin: dayOf(each.place), reason: each.reason }],
  );
  const all = origins.map((_, place): ScoredOrigin => {
    const day = dayOf(place);
    return {
      series: 0,
      period: day,
      day,
      losses: scored.map((each) => (each.ok ? each.losses[place]! : null)),
    };
  });
  const outcome = rankedOutcome(input, {
    entered,
    collected: { origins: all, disqualified },
    losses: withChoices(lossTable({ origins: all }, entered.entries), input, scored),
    refused: (few) => tooFew([], few),
    describe: () => [describeReturns(input, data, { days, origins: all })],
    targetOf: () => RETURNS,
  });
  if (!outcome.ok) return outcome;
  const trials = trialsOf(input, curves);
  return { ...outcome, output: { ...outcome.output, result: { ...outcome.output.result, trials } } };
}

function isSimulated(curve: StrategyCurve): curve is Extract<StrategyCurve, { ok: true }> {
  return curve.ok;
}

function scoredEntry(
  curves: readonly StrategyCurve[],
  { days, origins, input }: { days: readonly number[]; origins: readonly number[]; input: TournamentInput },
): Scored {
  const refused = curves.find((each) => !each.ok);
  if (refused) return { ok: false, reason: refused.reason, place: 0 };
  const values = curves.filter(isSimulated).map((curve) => valuesOn(days, curve));
  const chosen = chosenVariants(values, origins, input);
  const found = originReturns(values, { origins, chosen, horizon: input.horizon });
  if (!found.ok) return { ok: false, reason: 'bankrupt', place: found.place };
  if (origins.length === 0) return { ok: true, losses: new Float64Array(0), chosen };
  const losses = sharpeLosses(found.returns);
  return losses ? { ok: true, losses, chosen } : { ok: false, reason: 'constant_returns', place: 0 };
}

/** Adds the choices of the entries that have variants to the losses of these entries. */
function withChoices(
  table: TournamentLosses,
  input: TournamentInput,
  scored: readonly Scored[],
): TournamentLosses {
  const losses = table.losses.map((each, at) => {
    const found = scored[at]!;
    const hasVariants = (input.entries[at]?.strategy?.variants.length ?? 0) > 0;
    return found.ok && hasVariants ? { ...each, chosen: found.chosen } : each;
  });
  return { ...table, losses };
}

function describeReturns(
  { entries }: TournamentInput,
  data: StrategiesData,
  { days, origins }: { days: readonly number[]; origins: readonly ScoredOrigin[] },
): TournamentResult['series'][number] {
  const { frequency, cash } = entries[0]!.strategy!.rules;
  return {
    metric: RETURNS,
    company_id: null,
    frequency,
    unit: null,
    currency: cash.currency,
    periods: days.length,
    origins: origins.length,
    first_origin: origins[0]?.period ?? null,
    last_origin: origins.at(-1)?.period ?? null,
    left_out: origins.length > 0 ? null : 'no_origin',
    observations_sha256: strategiesHash(data),
  };
}
