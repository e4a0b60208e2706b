import { expect } from 'chai';
import { bootstrapRows, type BootstrapPlan } from '#lib/numerics/bootstrap/bootstrap-rows.ts';
import { optimalBlockLength } from '#lib/numerics/bootstrap/optimal-block-length.ts';

const wave = Float64Array.from({ length: 90 }, (_, t) => ((t * t) % 17) + (t % 5) * 2);

describe('optimalBlockLength', () => {
  it('does not depend on the location and the scale of a series', () => {
    const moved = optimalBlockLength(wave.map((each) => 1024 * each - 4096));
    const own = optimalBlockLength(wave);
    expect(moved.stationary).to.be.closeTo(own.stationary, 1e-9);
    expect(moved.circular).to.be.closeTo(own.circular, 1e-9);
    expect(own.circular / own.stationary).to.be.closeTo(1.5 ** (1 / 3), 1e-12);
  });

  it('bounds the length for a strongly dependent series, and is 1 for a constant one', () => {
    const alternating = Float64Array.from({ length: 40 }, (_, t) => t % 2);
    expect(optimalBlockLength(alternating)).to.deep.equal({ stationary: 14, circular: 14 });
    expect(optimalBlockLength(new Float64Array(40).fill(0.1))).to.deep.equal({ stationary: 1, circular: 1 });
    expect(() => optimalBlockLength(new Float64Array(11))).to.throw(RangeError, 'at least 12');
  });
});

describe('bootstrapRows', () => {
  const plans: BootstrapPlan[] = [
    { method: 'independent', block: 1, rows: 37, horizon: 10 },
    { method: 'circular', block: 4, rows: 37, horizon: 10 },
    { method: 'stationary', block: 3.5, rows: 37, horizon: 10 },
  ];
  const drawn = (plan: BootstrapPlan, first: number, count: number) => {
    const out = new Int32Array(count * plan.horizon);
    bootstrapRows(out, plan, { seed: 9, first, count });
    return out;
  };

  for (const plan of plans) {
    it(`draws ${plan.method} rows that depend on neither the division nor the horizon`, () => {
      const whole = drawn(plan, 0, 50);
      expect([...drawn(plan, 0, 20), ...drawn(plan, 20, 30)]).to.deep.equal([...whole]);
      const shorter = drawn({ ...plan, horizon: 7 }, 11, 1);
      expect([...shorter]).to.deep.equal([...whole.subarray(110, 117)]);
      expect(Math.min(...whole)).to.be.at.least(0);
      expect(Math.max(...whole)).to.be.at.most(36);
    });
  }

  it('continues a circular block with the next row, and after the last row with the first', () => {
    const out = drawn({ method: 'circular', block: 5, rows: 6, horizon: 10 }, 0, 200);
    for (let at = 0; at < out.length; at += 1)
      if (at % 5 > 0) expect(out[at]).to.equal((out[at - 1]! + 1) % 6);
  });

  it('draws every row equally often, and stationary blocks with their mean length', () => {
    const plan: BootstrapPlan = { method: 'stationary', block: 6, rows: 10, horizon: 100 };
    const out = drawn(plan, 0, 4_000);
    const counts = Array.from({ length: 10 }, () => 0);
    let starts = 0;
    for (let at = 0; at < out.length; at += 1) {
      counts[out[at]!]! += 1;
      if (at % 100 > 0 && out[at] !== (out[at - 1]! + 1) % 10) starts += 1;
    }
    for (const count of counts) expect(count / out.length).to.be.closeTo(0.1, 0.003);
    // One new block in ten starts at the next row by chance, and is not counted.
    expect(starts / (4_000 * 99)).to.be.closeTo((1 / 6) * 0.9, 0.003);
  });

  it('refuses blocks and sizes outside of their range', () => {
    const circular = plans[1]!;
    for (const wrong of [{ block: 38 }, { block: 0 }, { block: 2.5 }, { rows: 0 }, { horizon: 0 }])
      expect(() => drawn({ ...circular, ...wrong }, 0, 1), JSON.stringify(wrong)).to.throw(RangeError);
    expect(() => bootstrapRows(new Int32Array(9), circular, { seed: 1, first: 0, count: 1 })).to.throw(
      RangeError,
    );
  });
});
