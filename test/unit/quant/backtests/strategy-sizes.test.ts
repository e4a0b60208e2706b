import { expect } from 'chai';
import { simulateStrategy } from '#lib/quant/backtests/simulate-strategy.ts';
import { withCosts, withoutCosts, withScale } from '#lib/quant/backtests/strategy-sizes.ts';
import { dataOf, resolved } from '../strategies/strategy-fixture.ts';

const closes = {
  A: Array.from({ length: 80 }, (_, t) => 10 + (t % 7)),
  B: Array.from({ length: 80 }, (_, t) => 20 - (t % 5)),
};
const strategy = resolved({
  universe: { kind: 'list', symbols: ['A', 'B'] },
  weight: { scheme: 'equal' },
  schedule: { every: 'week' },
  costs: {
    proportional_bps: 8_000,
    per_share: 0.1,
    minimum: 5,
    half_spread_bps: 20,
    impact: { kind: 'square_root' },
  },
  execution: { participation_max: 0.5 },
});
const small = withCosts(strategy, 0.001);

function ledgerOf(each: typeof strategy) {
  const found = simulateStrategy(each, dataOf(closes), { detail: false });
  if (!found.ok) throw new Error(found.refusal.detail);
  return found.simulated.ledger;
}

describe('sizes of a strategy', () => {
  it('multiply only the cash', () => {
    const larger = withScale(strategy, 30);
    expect(larger.cash.initial_minor).to.equal(30 * strategy.cash.initial_minor);
    expect({ ...larger, cash: strategy.cash }).to.deep.equal(strategy);
  });

  it('multiply every cost, up to 100 % for a cost that is a share of the amount', () => {
    const { costs } = withCosts(strategy, 2);
    expect(costs.proportional_bps).to.equal(10_000);
    expect([costs.half_spread_bps, costs.per_share, costs.minimum]).to.deep.equal([40, 0.2, 10]);
    expect([costs.borrow_bps, costs.impact.y]).to.deep.equal([100, 1.2]);
  });

  it('remove all costs and the limit on the share of the volume', () => {
    const paid = (each: typeof strategy) => Object.values(ledgerOf(each).costs);
    expect(paid(small).some((each) => each > 0)).to.equal(true);
    expect(paid(withoutCosts(small))).to.deep.equal([0, 0, 0, 0, 0, 0]);
    expect(withoutCosts(strategy).execution.participation_max).to.equal(null);
  });

  it('leave the given strategy unchanged, and return an equal strategy for a factor of 1', () => {
    const before = JSON.stringify(strategy);
    withoutCosts(strategy);
    withCosts(strategy, 3);
    expect(JSON.stringify(strategy)).to.equal(before);
    expect(withCosts(strategy, 1)).to.equal(strategy);
  });
});
