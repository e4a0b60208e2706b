import { canonicalHash } from '#lib/core/seal.ts';
import { tokensOf } from '#lib/data/feature-expression/token.ts';
import { FORMULAS } from './bind-parameters.ts';
import { escapePointer } from './strategy-fault.ts';
import { resolveStrategy } from './resolve-strategy.ts';
import type { ResolvedStrategy, Strategy } from './strategy.schema.ts';

/** The text that replaces each number and each parameter before a strategy is hashed. */
const CONSTANT = '#';

/**
 * Returns the family of a strategy: the SHA-256 of its resolved form, in which a placeholder replaces every number and
 * every value of a parameter. Strategies that differ only in these values therefore belong to one family. The name of
 * the strategy has no effect on the family. If the strategy has a `trial_family`, the family is the hash of that name.
 * Throws a `RangeError` for a strategy that cannot be resolved.
 */
export function strategyFamily(strategy: Strategy): string {
  const resolution = resolveStrategy(strategy);
  if (!resolution.ok) throw new RangeError('the family of a strategy that cannot be resolved');
  const { strategy: resolved, replaced } = resolution;
  return familyOf(resolved, replaced);
}

/** Returns the family of a resolved strategy. `replaced` are the pointers of the members that a parameter replaced. */
export function familyOf(resolved: ResolvedStrategy, replaced: ReadonlySet<string>): string {
  const { name: _, trial_family: named, ...rules } = resolved;
  return canonicalHash(named === null ? withoutConstants(rules, '', replaced) : { trial_family: named });
}

function withoutConstants(value: unknown, pointer: string, replaced: ReadonlySet<string>): unknown {
  if (typeof value === 'number' || replaced.has(pointer)) return CONSTANT;
  if (typeof value === 'string') return FORMULAS.test(pointer) ? formulaWithout(value) : value;
  if (Array.isArray(value))
    return value.map((each, at) => withoutConstants(each, `${pointer}/${at}`, replaced));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [
      key,
      withoutConstants(each, `${pointer}/${escapePointer(key)}`, replaced),
    ]),
  );
}

/** A negative parameter is bound in brackets, which belong to the number. */
function formulaWithout(text: string): string {
  const tokens = tokensOf(text).map(({ type, text: each }) => (type === 'number' ? CONSTANT : each));
  return tokens.join(' ').replaceAll(`( - ${CONSTANT} )`, CONSTANT);
}
