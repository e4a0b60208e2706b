import type { ParameterValue } from '../strategies/parameter.schema.ts';
import { trialHasher } from '../trials/trial.ts';
import type { OptimizationInput } from './optimization-input.schema.ts';
import type { OptimizationResult, SearchTrials } from './optimization-result.schema.ts';
import { strategyOfTrial } from './run-trials.ts';
import type { TrialRow } from './trial-layout.ts';

/** The trials of a search: their parameters and their numbers. */
export type Trials = { parameters: readonly Record<string, ParameterValue>[]; rows: readonly TrialRow[] };

/** Returns a trial as a result lists it. */
export function listedTrial({ parameters, rows }: Trials, at: number): OptimizationResult['trials'][number] {
  const { objective, isFeasible } = rows[at]!;
  return {
    number: at,
    parameters: parameters[at]!,
    objective: numberOrNull(objective),
    feasible: isFeasible,
  };
}

/** Returns the numbers of the trials by objective, the largest first; trials without an objective come last. */
export function orderOfTrials({ rows }: Trials): number[] {
  return rows.map((_, at) => at).sort((one, other) => byObjective(rows, one, other));
}

function byObjective(rows: readonly TrialRow[], one: number, other: number): number {
  const [first, second] = [rows[one]!.objective, rows[other]!.objective];
  if (Number.isNaN(first) || Number.isNaN(second))
    return Number(Number.isNaN(first)) - Number(Number.isNaN(second)) || one - other;
  return second - first || one - other;
}

/** Returns all trials by columns. */
export function trialsTable(input: OptimizationInput, { parameters, rows }: Trials): SearchTrials {
  const hashOf = trialHasher(input);
  return {
    parameters: [...parameters],
    objective: rows.map(({ objective }) => numberOrNull(objective)),
    sharpe: rows.map(({ sharpe }) => numberOrNull(sharpe)),
    trial_hash: rows.map(({ isSimulated }, at) =>
      isSimulated ? hashOf(strategyOfTrial(input, parameters[at]!)!) : null,
    ),
  };
}

/** Returns null for a number that is not finite. */
export const numberOrNull = (value: number): number | null => (Number.isFinite(value) ? value : null);
