import { canonicalJson, sha256 } from '#lib/core/seal.ts';
import type { ResolvedStrategy } from '../strategies/strategy.schema.ts';

/** One strategy over one window, with its Sharpe ratio per session; null if its returns do not vary. */
export type Trial = { hash: string; sharpe: number | null };

/** The count of the trials of a family: all trials, and those with a Sharpe ratio, with the moments of the ratios. */
export type TrialCount = {
  /** Number of different trials. */
  counted: number;
  /** Number of trials whose returns vary. */
  measured: number;
  /** Sum and sum of squares of the Sharpe ratios of the measured trials. */
  sharpe_sum: number;
  sharpe_square_sum: number;
};

/**
 * Returns the hash of a trial: the hash is equal for equal rules over equal days, so that a repetition is not counted
 * again. The names of the strategy and its family are not rules.
 */
export function trialHash(strategy: ResolvedStrategy, days: { from: string; to: string }): string {
  return trialHasher(days)(strategy);
}

/**
 * Returns a function that hashes the trials over equal days. It keeps the canonical form of each member of the last
 * trial, because most members of the trials of a search are equal.
 *
 * The hash is that of the canonical form of `{ from, rules, to }`, whose members are in code-unit order.
 */
export function trialHasher({
  from,
  to,
}: {
  from: string;
  to: string;
}): (strategy: ResolvedStrategy) => string {
  const last = new Map<string, { text: string; form: string }>();
  const formOf = (name: string, value: unknown): string => {
    const text = JSON.stringify(value);
    const known = last.get(name);
    if (known?.text === text) return known.form;
    const form = `${canonicalJson(name)}:${canonicalJson(value)}`;
    last.set(name, { text, form });
    return form;
  };
  return ({ name: _, trial_family: __, ...rules }) => {
    const members = Object.entries(rules)
      .filter(([, value]) => value !== undefined)
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([name, value]) => formOf(name, value));
    return sha256(`{"from":${canonicalJson(from)},"rules":{${members.join(',')}},"to":${canonicalJson(to)}}`);
  };
}
