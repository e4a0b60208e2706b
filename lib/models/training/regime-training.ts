import { canonicalHash } from '#lib/core/seal.ts';
import { monthOf, addMonths } from '#lib/core/date.ts';
import { dieboldMariano } from '#lib/numerics/comparison/diebold-mariano.ts';
import { infer, type Observations } from '#lib/numerics/regime/hidden-markov.ts';
import { fitRegimes } from '#lib/numerics/regime/regime-em.ts';
import { occupancy, REGIME_NAMES, selectRegimes } from '#lib/numerics/regime/regime-selection.ts';
import { startProbabilities } from '#lib/numerics/regime/regime-start.ts';
import { stationaryProbabilities } from '#lib/numerics/regime/stationary-probabilities.ts';
import { RECIPE, type Checkpoint } from '#lib/models/registry/checkpoint.schema.ts';
import type { ModelRunInput } from '#lib/models/registry/model-run.schema.ts';
import { referenceProfile } from '../drift/reference-profile.ts';

/** Monthly returns, row by row, and the day of each month's row. */
export type MonthlyReturns = { days: string[]; values: Float64Array };

const MONTHS_MIN = 120;

export type TrainingRefusal = { observed: number; needed: number; detail: string };

/**
 * Returns the reason why returns cannot be used to fit regimes: too few months, a missing month, or a missing value.
 */
export function regimeTrainingRefusal(
  { days, values }: MonthlyReturns,
  factors: number,
): TrainingRefusal | undefined {
  const needed = Math.max(MONTHS_MIN, 10 * factors);
  const observed = days.length;
  if (observed < needed)
    return { observed, needed, detail: `there are ${observed} months, but ${needed} are needed` };
  const gap = days.findIndex((day, at) => at > 0 && monthOf(day) !== addMonths(monthOf(days[at - 1]!), 1));
  if (gap > 0)
    return {
      observed: gap,
      needed: observed,
      detail: `${days[gap]} is not in the month after ${days[gap - 1]}`,
    };
  const missing = values.findIndex((value) => !Number.isFinite(value));
  if (missing < 0) return undefined;
  const day = days[Math.floor(missing / factors)]!;
  return {
    observed: Math.floor(missing / factors),
    needed: observed,
    detail: `the month of ${day} has a missing value`,
  };
}

/** Trains a regime model by the recipe `regime-ghmm/1`. Returns null if no regime can be fitted. */
export function trainRegimes({ days, values }: MonthlyReturns, input: ModelRunInput) {
  const observations: Observations = { rows: values, dimensions: input.factors.length };
  const selection = selectRegimes(observations, input.regimes_max!);
  if (!selection) return null;
  const { model, inference, iterations } = selection.fit;
  const K = model.initial.length;
  const D = observations.dimensions;
  const checkpoint: Checkpoint = {
    recipe: RECIPE,
    factors: [...input.factors],
    regimes: model.means.map((mean, k) => ({
      name: REGIME_NAMES[K]![k] as Checkpoint['regimes'][number]['name'],
      means: [...mean],
      covariance: model.covariances[k]!.to2DArray(),
      months: occupancy(inference.smoothed, K, k),
    })),
    transitions: model.transitions.to2DArray(),
    initial: [...model.initial],
    stationary: [...stationaryProbabilities(model.transitions)],
    current: [...inference.filtered.subarray(inference.filtered.length - K)],
    first_month: days[0]!,
    last_month: days.at(-1)!,
    ...(input.profile && {
      reference_profile: { columns: referenceProfile(input.factors, { values, dimensions: D }) },
    }),
    training_data_hash: input.dataset.content_hash,
  };
  return {
    checkpoint,
    checkpoint_hash: canonicalHash(checkpoint),
    months: days.length,
    log_likelihood: inference.logLikelihood,
    iterations,
    candidates: selection.candidates.map(({ regimes, logLikelihood, bic, starts, passing }) => ({
      regimes,
      log_likelihood: logLikelihood,
      bic,
      starts,
      passing,
    })),
  };
}

/**
 * Refits the model without the last months and scores those months one step ahead by their log density. The baseline is
 * one normal distribution fitted to the same months as the model. The evaluation passes if the mean score of the model
 * is at least that of the baseline. Returns null if the model or the baseline cannot be fitted.
 *
 * Source: the logarithmic score, Good, "Rational Decisions" (1952).
 */
export function evaluateRegimes(
  { values }: MonthlyReturns,
  {
    regimes,
    dimensions,
    holdoutShare,
  }: {
    regimes: number;
    dimensions: number;
    holdoutShare: number;
  },
) {
  const months = values.length / dimensions;
  const fittedMonths = months - Math.floor(months * holdoutShare);
  const past: Observations = { rows: values.slice(0, fittedMonths * dimensions), dimensions };
  const fitted = selectRegimes(past, regimes);
  const baseline = fitRegimes(past, startProbabilities(past, []));
  const whole: Observations = { rows: values, dimensions };
  const [own, plain] = [fitted?.fit, baseline].map((fit) => fit && infer(fit.model, whole));
  if (!own || !plain) return null;
  const [scores, reference] = [own, plain].map(({ logDensities }) => logDensities.slice(fittedMonths));
  const meanOf = (of: Float64Array) => of.reduce((total, each) => total + each, 0) / of.length;
  const [logScore, baselineLogScore] = [meanOf(scores!), meanOf(reference!)];
  // The test takes the absolute values of its errors. The losses are shifted to at least 0, so that their absolute
  // values are the losses themselves.
  const highest = Math.max(...scores!, ...reference!);
  const losses = (of: Float64Array) => of.map((each) => highest - each);
  const test = dieboldMariano(losses(scores!), losses(reference!), {
    horizon: 1,
    power: 1,
    variance: 'acf',
    alternative: 'two.sided',
  });
  return {
    passed: logScore >= baselineLogScore,
    fitted_months: fittedMonths,
    held_out_months: months - fittedMonths,
    log_score: logScore,
    baseline_log_score: baselineLogScore,
    difference_p_value: test.ok ? test.p : null,
  };
}
