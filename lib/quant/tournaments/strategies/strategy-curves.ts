import { dayNumber, daysBetween } from '#lib/core/date.ts';
import type { Control, Part } from '#lib/core/run.ts';
import { BACKTEST_LIMITS } from '../../backtests/backtest-limits.ts';
import { simulateStrategy } from '../../backtests/simulate-strategy.ts';
import { StrategyCache } from '../../strategies/strategy-cache.ts';
import type { ResolvedStrategy } from '../../strategies/strategy.schema.ts';
import { strategyFailureReasons, type StrategyFailureReason } from '../outcome-codes.ts';
import type { TournamentInput } from '../tournament-input.schema.ts';
import { enteredStrategies } from './equal-weight.ts';
import type { StrategiesData } from './strategies-data.ts';

/** A tournament is divided if symbols times calendar days, summed over its strategies, are at least this number. */
const DIVIDED_CELLS = 5_000_000;
/** The number of symbols that a universe without a list is expected to have. */
const SYMBOLS_EXPECTED = 500;

/**
 * The values of a strategy at the closes of its sessions, with the sessions as day numbers; or the reason why it has no
 * values.
 */
export type StrategyCurve =
  | { ok: true; days: Float64Array; values: Float64Array }
  | { ok: false; reason: StrategyFailureReason };

/**
 * A strategy that is simulated: the strategy of the entry at index `entry`, with the parameters of the entry (`variant`
 * 0) or of one of its variants.
 */
type Simulation = { entry: number; variant: number; rules: ResolvedStrategy };

/** Returns all strategies of a tournament in order: each entry with its variants, including the baseline. */
export function simulationsOf(input: Pick<TournamentInput, 'entries'>): Simulation[] {
  return enteredStrategies(input).entries.flatMap(({ strategy }, entry) =>
    [strategy.rules, ...strategy.variants.map(({ rules }) => rules)].map((rules, variant) => ({
      entry,
      variant,
      rules,
    })),
  );
}

/**
 * Returns the parts of a large tournament: one for each entry and its variants, because these share signals. Returns
 * null for a smaller tournament.
 */
export function strategyParts(input: TournamentInput): Part[] | null {
  const { from, to } = input.strategies!;
  const simulations = simulationsOf(input);
  const days = daysBetween(from, to);
  let cells = 0;
  for (const { rules } of simulations) cells += (rules.universe.symbols.length || SYMBOLS_EXPECTED) * days;
  if (cells < DIVIDED_CELLS) return null;
  const parts: Part[] = [];
  for (const [at, { variant }] of simulations.entries()) {
    if (variant === 0) parts.push({ round: 0, first: at, count: 1 });
    else parts.at(-1)!.count += 1;
  }
  return parts;
}

/**
 * Simulates the strategies of a part, or all of them. For each of them: the number of its sessions, or a negative
 * number for the reason why it has none, then its days and its values, then zeros, so that all have the same number of
 * numbers.
 */
export function simulateStrategies(
  input: TournamentInput,
  { sets, setOf }: StrategiesData,
  { part, control }: { part: Part | null; control: Control },
): Float64Array {
  const all = simulationsOf(input);
  const mine = part ? all.slice(part.first, part.first + part.count) : all;
  const caches = sets.map(() => new StrategyCache());
  const width = widthOf(input);
  const numbers = new Float64Array(mine.length * width);
  for (const [at, { entry, rules }] of mine.entries()) {
    if (control.cancelled()) throw new Error('cancelled');
    const set = setOf[entry]!;
    const progress = (share: number) => {
      if (control.cancelled()) throw new Error('cancelled');
      control.progress((at + share) / mine.length);
    };
    const found = simulateStrategy(rules, sets[set]!, { cache: caches[set]!, detail: false, progress });
    const own = numbers.subarray(at * width, (at + 1) * width);
    if (!found.ok) {
      own[0] = -1 - strategyFailureReasons.indexOf(found.refusal.code);
      continue;
    }
    const { sessions, ledger } = found.simulated;
    own[0] = sessions.length;
    own.set(sessions.map(dayNumber), 1);
    own.set(ledger.value, 1 + sessions.length);
  }
  return numbers;
}

/** Reads the curves of all strategies from the numbers of all parts. */
export function strategyCurves(input: TournamentInput, numbers: Float64Array): StrategyCurve[] {
  const width = widthOf(input);
  return Array.from({ length: numbers.length / width }, (_, at) => {
    const count = numbers[at * width]!;
    if (count < 0) return { ok: false, reason: strategyFailureReasons[-1 - count]! };
    const start = at * width + 1;
    const [days, values] = [0, count].map((from) => numbers.subarray(start + from, start + from + count));
    return { ok: true, days: days!, values: values! };
  });
}

function widthOf({ strategies }: TournamentInput): number {
  const { from, to } = strategies!;
  return 1 + 2 * Math.min(BACKTEST_LIMITS.sessions, daysBetween(from, to) + 1);
}
