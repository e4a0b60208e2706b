import { expect } from 'chai';
import { canonicalHash } from '#lib/core/seal.ts';
import { trialHash, trialHasher } from '#lib/quant/trials/trial.ts';
import { resolveStrategy } from '#lib/quant/strategies/resolve-strategy.ts';
import type { ResolvedStrategy, Strategy } from '#lib/quant/strategies/strategy.schema.ts';

const days = { from: '2020-01-06', to: '2020-12-31' };
const strategy: Strategy = {
  universe: { kind: 'list', symbols: ['AAA', 'BBB'] },
  signals: { momentum: { expression: 'return(adj_close, $lookback)' } },
  select: { by: 'momentum', top: { $: 'top' } },
  weight: { scheme: 'equal' },
  parameters: { lookback: 20, top: 1 },
};

function resolved(parameters: Record<string, number>, more: Partial<Strategy> = {}): ResolvedStrategy {
  const found = resolveStrategy({ ...strategy, ...more }, parameters);
  if (!found.ok) throw new Error(JSON.stringify(found.faults));
  return found.strategy;
}

describe('trialHasher', () => {
  it('gives the hash of the canonical form of the rules and the days, in any order of the trials', () => {
    const hashOf = trialHasher(days);
    const trials = [5, 10, 5, 20].flatMap((lookback) => [1, 2, 1].map((top) => resolved({ lookback, top })));
    for (const trial of trials) {
      const { name: _, trial_family: __, ...rules } = trial;
      expect(hashOf(trial)).to.equal(canonicalHash({ rules, ...days }));
    }
    expect(new Set(trials.map(hashOf)).size).to.equal(6);
  });

  it('ignores the name of the strategy and its family, and depends on the days', () => {
    const named = resolved({}, { name: 'Renamed', trial_family: 'another' });
    expect(trialHash(named, days)).to.equal(trialHash(resolved({}), days));
    expect(trialHash(named, { ...days, to: '2020-12-30' })).to.not.equal(trialHash(named, days));
  });
});
