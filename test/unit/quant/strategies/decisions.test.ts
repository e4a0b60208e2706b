import { expect } from 'chai';
import type { Strategy } from '#lib/quant/strategies/strategy.schema.ts';
import { dataOf, listOf, prepared, targetsAt, type Closes } from './strategy-fixture.ts';

const closes: Closes = {
  A: [100, 101, 102, 103, 104, 105],
  B: [100, 99, 98, 97, 96, 95],
  C: [100, 100, 101, 101, 102, 102],
  D: [50, 51, 50, 51, 50, 51],
};
const everySession = { every: 'session' } as const;
const base: Strategy = { universe: listOf(closes), weight: { scheme: 'equal' }, schedule: everySession };
const momentum: Strategy = {
  ...base,
  signals: { m: { expression: 'return(adj_close, 2)' } },
  select: { by: 'm', top: 2 },
};

describe('the decision of a strategy', () => {
  it('weighs all symbols equally without a selection', () => {
    expect(targetsAt(prepared(base, dataOf(closes)), 0)).to.deep.equal({
      A: 0.25,
      B: 0.25,
      C: 0.25,
      D: 0.25,
    });
  });

  it('holds the symbols with the largest signals', () => {
    const strategy = prepared(momentum, dataOf(closes));
    // Returns over two sessions: A 2 %, B -2 %, C 1 %, D 0 %.
    expect(targetsAt(strategy, 2)).to.deep.equal({ A: 0.5, B: 0, C: 0.5, D: 0 });
  });

  it('holds cash while no symbol has a signal', () => {
    expect(targetsAt(prepared(momentum, dataOf(closes)), 1, { A: 1 })).to.deep.equal({
      A: 0,
      B: 0,
      C: 0,
      D: 0,
    });
  });

  it('ranks equal signals by symbol', () => {
    const same: Closes = { X: [1, 1, 1], W: [1, 1, 1], Y: [1, 1, 1] };
    const strategy = prepared(
      { ...momentum, universe: listOf(same), select: { by: 'm', top: 1 } },
      dataOf(same),
    );
    expect(targetsAt(strategy, 2)).to.deep.equal({ W: 1, X: 0, Y: 0 });
  });

  it('keeps a held symbol until its rank is above keep_until_rank', () => {
    const select = { by: 'm', top: 1, keep_until_rank: 2 };
    const strategy = prepared({ ...momentum, select }, dataOf(closes));
    expect(targetsAt(strategy, 2, { C: 0.9 })).to.deep.equal({ A: 0, B: 0, C: 1, D: 0 });
    expect(targetsAt(strategy, 2, { D: 0.9 })).to.deep.equal({ A: 1, B: 0, C: 0, D: 0 });
  });

  it('leaves out symbols for which the condition is false or unknown', () => {
    const select = { by: 'm', top: 4, where: 'm > 0 and not m > 0.015' };
    const strategy = prepared({ ...momentum, select }, dataOf(closes));
    expect(targetsAt(strategy, 2)).to.deep.equal({ A: 0, B: 0, C: 1, D: 0 });
  });

  it('holds cash if fewer symbols than the minimum are selected', () => {
    const select = { by: 'm', top: 4, minimum: 3, where: 'm > 0' };
    const strategy = prepared({ ...momentum, select }, dataOf(closes));
    expect(targetsAt(strategy, 2, { A: 1 })).to.deep.equal({ A: 0, B: 0, C: 0, D: 0 });
  });

  it('sells the lowest ranks short, with the same sum of weights as the long positions', () => {
    const weight = { scheme: 'equal', gross: 0.5, short: { bottom: 2 } } as const;
    const strategy = prepared({ ...momentum, select: { by: 'm', top: 1 }, weight }, dataOf(closes));
    expect(targetsAt(strategy, 2)).to.deep.equal({ A: 0.5, B: -0.25, C: 0, D: -0.25 });
  });

  it('weighs by reversed rank', () => {
    const strategy = prepared(
      { ...momentum, select: { by: 'm', top: 3 }, weight: { scheme: 'rank' } },
      dataOf(closes),
    );
    expect(targetsAt(strategy, 2)).to.deep.equal({ A: 3 / 6, B: 0, C: 2 / 6, D: 1 / 6 });
  });

  it('weighs by the signal, and gives no weight to a signal of 0 or below', () => {
    const strategy = prepared(
      { ...momentum, select: { by: 'm' }, weight: { scheme: 'signal' } },
      dataOf(closes),
    );
    const targets = targetsAt(strategy, 2)!;
    expect(targets['A']).to.be.closeTo(2 / 3, 1e-12);
    expect(targets['C']).to.be.closeTo(1 / 3, 1e-12);
    expect([targets['B'], targets['D']]).to.deep.equal([0, 0]);
  });

  it('uses fixed weights as they are given, long and short', () => {
    const weight = { scheme: 'fixed', fixed: { A: 0.6, B: -0.2 } } as const;
    expect(targetsAt(prepared({ ...base, weight }, dataOf(closes)), 0)).to.deep.equal({
      A: 0.6,
      B: -0.2,
      C: 0,
      D: 0,
    });
  });

  it('weighs by the inverse volatility of the window', () => {
    const two: Closes = { A: [100, 110, 100, 110, 100], B: [100, 120, 100, 120, 100] };
    const weight = { scheme: 'inverse_volatility', construct: { window: 4, estimator: 'sample' } } as const;
    const strategy = prepared({ ...base, universe: listOf(two), weight }, dataOf(two));
    // Returns 0.1, -1/11, 0.1, -1/11 and 0.2, -1/6, 0.2, -1/6: deviations in the ratio 21/110 to 11/30.
    const ratio = 21 / 110 / (11 / 30);
    const targets = targetsAt(strategy, 4)!;
    expect(targets['B']! / targets['A']!).to.be.closeTo(ratio, 1e-12);
    expect(targets['A']! + targets['B']!).to.be.closeTo(1, 1e-12);
  });

  it('gives no weight to a symbol with a short history', () => {
    const two: Closes = { A: [100, 110, 100, 110, 100], B: [null, null, null, 120, 100] };
    const weight = { scheme: 'hrp', construct: { window: 4 } } as const;
    const strategy = prepared({ ...base, universe: listOf(two), weight }, dataOf(two));
    expect(targetsAt(strategy, 4)).to.deep.equal({ A: 1, B: 0 });
  });

  it('does not trade while all weights are within the band', () => {
    const strategy = prepared({ ...base, schedule: { ...everySession, band: 0.05 } }, dataOf(closes));
    expect(targetsAt(strategy, 1, { A: 0.29, B: 0.21, C: 0.25, D: 0.25 })).to.equal(null);
    expect(targetsAt(strategy, 1, { A: 0.31, B: 0.19, C: 0.25, D: 0.25 })).to.deep.equal({
      A: 0.25,
      B: 0.25,
      C: 0.25,
      D: 0.25,
    });
    expect(targetsAt(strategy, 1)).to.deep.equal({ A: 0.25, B: 0.25, C: 0.25, D: 0.25 });
  });

  it('scales all changes down to the maximum turnover', () => {
    const strategy = prepared({ ...base, constraints: { turnover_max: 0.5 } }, dataOf(closes));
    expect(targetsAt(strategy, 1, { A: 1 })).to.deep.equal({
      A: 0.75,
      B: 0.25 / 3,
      C: 0.25 / 3,
      D: 0.25 / 3,
    });
  });

  it('keeps the position of a symbol without a price, and divides only the remaining weight', () => {
    const gap: Closes = { A: [100, 100, 100], B: [100, null, 100], C: [100, 100, 100] };
    const strategy = prepared({ ...base, universe: listOf(gap) }, dataOf(gap));
    const targets = targetsAt(strategy, 1, { B: 0.4 })!;
    expect(targets['B']).to.be.NaN;
    expect(targets['A']).to.be.closeTo(0.3, 1e-12);
    expect(targets['C']).to.be.closeTo(0.3, 1e-12);
  });

  it('scales the weights to the target volatility', () => {
    const one: Closes = { A: [100, 101, 100, 101, 100, 101] };
    const overlay = { volatility_target: { annual: 0.05, window: 4, leverage_max: 1 } };
    const strategy = prepared({ ...base, universe: listOf(one), overlay }, dataOf(one));
    const returns = [-1 / 101, 0.01, -1 / 101, 0.01];
    const mean = returns.reduce((sum, each) => sum + each / 4, 0);
    const deviation = Math.sqrt(returns.reduce((sum, each) => sum + (each - mean) ** 2, 0) / 3);
    expect(targetsAt(strategy, 5)!['A']).to.be.closeTo(0.05 / (deviation * Math.sqrt(252)), 1e-12);
  });

  it('sells everything when the drawdown reaches the stop, and decides again after the pause', () => {
    const strategy = prepared(
      { ...base, schedule: { every: 'once' }, overlay: { stop: { drawdown: 0.1, stay_out: 2 } } },
      dataOf(closes),
    );
    const held = { A: 1 };
    const curve = [1, 1.2, 1.08, 1.08, 1.08, 1.08];
    const equal = { A: 0.25, B: 0.25, C: 0.25, D: 0.25 };
    expect(targetsAt(strategy, 0, {}, curve)).to.deep.equal(equal);
    expect(targetsAt(strategy, 1, held, curve)).to.equal(null);
    expect(targetsAt(strategy, 2, held, curve)).to.deep.equal({ A: 0, B: 0, C: 0, D: 0 });
    expect(targetsAt(strategy, 3, {}, curve)).to.equal(null);
    expect(targetsAt(strategy, 4, {}, curve)).to.deep.equal(equal);
  });
});
