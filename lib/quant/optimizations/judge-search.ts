import { sharpeDifference } from '#lib/numerics/comparison/sharpe-difference.ts';
import { gridNeighbours } from '#lib/numerics/search/grid.ts';
import { nearestPoints } from '#lib/numerics/search/nearest-points.ts';
import { parameterStability } from '#lib/numerics/search/parameter-stability.ts';
import { plateau } from '#lib/numerics/search/plateau.ts';
import type { Point, Space } from '#lib/numerics/search/space.ts';
import { dataHash } from '../backtests/data-hash.ts';
import { evidenceOf } from '../trials/evidence.ts';
import type { OptimizationInput } from './optimization-input.schema.ts';
import { SEARCH_LIMITS } from './optimization-limits.ts';
import type { OptimizationResult, SearchTrials } from './optimization-result.schema.ts';
import type { PreparedSearch } from './prepare-search.ts';
import { strategyOfTrial, trialReturns, type TrialContext } from './run-trials.ts';
import { outOfSample, presentFold } from './search-folds.ts';
import { searchMetric } from './search-metric.ts';
import { noTrial, type SearchRefusal } from './search-refusals.ts';
import { parametersOf } from './search-space.ts';
import { bestTrial, degradation, foldChoices, type FoldChoice } from './search-summary.ts';
import { listedTrial, numberOrNull, orderOfTrials, trialsTable, type Trials } from './search-trials.ts';
import { searchVerdict } from './search-verdict.ts';
import { readTrial } from './trial-layout.ts';

export type SearchOutcome =
  | {
      ok: true;
      output: { input_data: { prices: string; benchmark: string | null }; result: OptimizationResult };
      attachments: { trials: SearchTrials };
    }
  | { ok: false; refusal: SearchRefusal };

/**
 * Computes the result of a search. The baseline, the best trial and the chosen trials are simulated again
 * for their returns.
 */
export function judgeSearch(
  { context, baseline, sessions, benchmarkHash }: PreparedSearch,
  points: readonly Point[],
  numbers: readonly Float64Array[],
): SearchOutcome {
  const { input, space, folds, data, benchmark } = context;
  const rows = numbers.map((each) => readTrial(each, folds.length));
  const simulated = rows.filter(({ isSimulated }) => isSimulated);
  if (simulated.length === 0) return { ok: false, refusal: noTrial(points.length) };
  const compared = trialReturns(context, baseline);
  if (!compared.ok) throw new Error(`the baseline was prepared and is refused now: ${compared.refusal.code}`);
  const trials: Trials = { parameters: points.map((point) => parametersOf(space, point)), rows };
  const returnsOfTrial = (at: number) => returnsAgain(context, trials, at);
  const best = bestTrial(rows, ({ objective, isFeasible }) => ({ value: objective, isFeasible }));
  const returns = best === null ? compared.returns : returnsOfTrial(best);
  const difference = best === null ? null : sharpeDifference(returns, compared.returns, { seed: input.seed });
  const p = difference?.ok ? difference.p : null;
  const choices = foldChoices(rows, folds.length);
  const evidence = evidenceOf({
    returns,
    sharpes: simulated.map(({ sharpe }) => numberOrNull(sharpe)),
    sums: simulated.map(({ sums }) => sums),
    blocks: input.cscv_blocks,
    before: input.before,
  });
  const facts = {
    best_in_sample: best === null ? null : listedTrial(trials, best),
    folds: folds.map((fold, at) => presentFold(fold, choices[at]!, { sessions, ...trials })),
    plateau: best === null ? null : plateauOf(input, { space, points, best, trials }),
    parameter_stability: stabilityOf(space, points, choices),
  };
  const verdict = searchVerdict({
    ...facts,
    p,
    pbo: evidence.overfitting?.pbo ?? null,
    deflated: evidence.deflated_sharpe,
  });
  const { metric, periods_per_year: periodsPerYear } = input;
  const result: OptimizationResult = {
    first_date: sessions[0]!,
    last_date: sessions.at(-1)!,
    sessions: sessions.length,
    points: points.length,
    failed: rows.length - simulated.length,
    recommended: verdict === 'recommended' ? trials.parameters[best!]! : null,
    verdict,
    ...facts,
    baseline: {
      parameters: input.baseline,
      objective: numberOrNull(searchMetric(metric, compared.returns, { periodsPerYear, benchmark })),
      sharpe_difference_p: p,
    },
    out_of_sample: outOfSample(folds, choices, { sessions, periodsPerYear, returnsOfTrial }),
    degradation: degradation(choices),
    evidence,
    trials: orderOfTrials(trials)
      .slice(0, SEARCH_LIMITS.listed)
      .map((at) => listedTrial(trials, at)),
    knowledge: compared.knowledge,
  };
  return {
    ok: true,
    output: { input_data: { prices: dataHash(data), benchmark: benchmarkHash }, result },
    attachments: { trials: trialsTable(input, trials) },
  };
}

function returnsAgain(context: TrialContext, { parameters }: Trials, at: number): Float64Array {
  const again = trialReturns(context, strategyOfTrial(context.input, parameters[at]!)!);
  if (!again.ok) throw new Error(`the trial ${at} was simulated and is refused now`);
  return again.returns;
}

function plateauOf(
  { method, where }: OptimizationInput,
  { space, points, best, trials }: { space: Space; points: readonly Point[]; best: number; trials: Trials },
): number | null {
  const neighbours =
    method === 'grid' && where === null
      ? gridNeighbours(space, best)
      : nearestPoints(space, points, { index: best });
  return plateau(
    trials.rows.map(({ objective }) => objective),
    { best, neighbours },
  );
}

function stabilityOf(
  space: Space,
  points: readonly Point[],
  choices: readonly FoldChoice[],
): OptimizationResult['parameter_stability'] {
  const picked = choices.filter((each) => each !== null).map(({ trial }) => points[trial]!);
  if (picked.length === 0) return null;
  const { changed, distinct } = parameterStability(space, picked);
  return { changed, distinct };
}
