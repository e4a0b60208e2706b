import { canonicalHash } from '#lib/core/seal.ts';
import { resolveStrategy } from '../../strategies/resolve-strategy.ts';
import { familyOf } from '../../strategies/strategy-family.ts';
import type { ResolvedStrategy } from '../../strategies/strategy.schema.ts';
import type { ResolvedEntry, TournamentInput } from '../tournament-input.schema.ts';
import type { EnteredStrategy } from './strategy-entry.schema.ts';

const NAME = 'equal_weight';

/** An entry with its strategy. */
export type StrategyEntry = ResolvedEntry & { strategy: EnteredStrategy };
/** The strategies of a tournament, including the baseline. */
export type EnteredStrategies = { entries: StrategyEntry[]; baseline: number };

/**
 * Returns the entries of a tournament of strategies with its baseline: equal weights of the universe of the first
 * entry, traded every month at the terms of the first entry. The baseline is added as the last entry unless a strategy
 * with the same rules is entered without variants.
 */
export function enteredStrategies({
  entries: requested,
}: Pick<TournamentInput, 'entries'>): EnteredStrategies {
  const entries = requested.map((entry) => {
    if (!entry.strategy) throw new Error(`the entry ${entry.name} has no strategy`);
    return { ...entry, strategy: entry.strategy };
  });
  const rules = equalWeight(entries[0]!.strategy.rules);
  const at = entries.findIndex(
    ({ strategy }) => strategy.variants.length === 0 && rulesHash(strategy.rules) === rulesHash(rules),
  );
  if (at >= 0) return { entries, baseline: at };
  const isTaken = entries.some(({ name }) => name === NAME);
  const family = familyOf(rules, new Set());
  const added: StrategyEntry = {
    name: isTaken ? `${NAME}.baseline` : NAME,
    kind: 'strategy',
    method: null,
    strategy: { family, rules, parameters: {}, features: [], variants: [] },
  };
  return { entries: [...entries, added], baseline: entries.length };
}

function equalWeight({ frequency, universe, schedule, execution, costs, cash }: ResolvedStrategy) {
  const found = resolveStrategy({
    frequency,
    universe,
    weight: { scheme: 'equal' },
    schedule: { every: 'month', lag: schedule.lag },
    execution,
    costs,
    cash,
  });
  if (!found.ok) throw new Error(`equal weights are not a strategy: ${found.faults[0]!.message}`);
  return found.strategy;
}

/** Returns the hash of the rules of a strategy, without its names. */
function rulesHash({ name: _, trial_family: __, ...rules }: ResolvedStrategy): string {
  return canonicalHash(rules);
}
