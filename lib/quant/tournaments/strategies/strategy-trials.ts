import { sharpeSpread } from '#lib/numerics/risk/sharpe-spread.ts';
import { curveReturns } from '../../backtests/curve-returns.ts';
import { trialHash, type Trial } from '../../trials/trial.ts';
import type { TournamentInput } from '../tournament-input.schema.ts';
import type { TournamentResult } from '../tournament-result.schema.ts';
import { simulationsOf, type StrategyCurve } from './strategy-curves.ts';

type Trials = NonNullable<TournamentResult['trials']>;

/** Returns the entered strategies, each with its Sharpe ratio. An added baseline is not a trial. */
export function trialsOf(input: TournamentInput, curves: readonly StrategyCurve[]): Trials {
  return simulationsOf(input).flatMap(({ entry, variant }, at) => {
    const own = input.entries[entry];
    if (!own) return [];
    const curve = curves[at]!;
    const sharpe = curve.ok ? (sharpeSpread(curveReturns(curve.values), 0)?.ratio ?? null) : null;
    return [{ entry: own.name, variant, family: own.strategy!.family, sharpe }];
  });
}

/** Returns the trials of a tournament by the family of their strategies; none for other tasks. */
export function trialsByFamily(
  input: TournamentInput,
  { trials = [] }: Pick<TournamentResult, 'trials'>,
): { family: string; trials: Trial[] }[] {
  const families = new Map<string, Trial[]>();
  const simulations = trials.length > 0 ? simulationsOf(input) : [];
  for (const [at, { family, sharpe }] of trials.entries()) {
    const trial = { hash: trialHash(simulations[at]!.rules, input.strategies!), sharpe };
    families.set(family, [...(families.get(family) ?? []), trial]);
  }
  return [...families].map(([family, own]) => ({ family, trials: own }));
}
