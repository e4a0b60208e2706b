import { expect } from 'chai';
import { bootstrapExpectation } from '#lib/numerics/simulation/bootstrap-expectation.ts';
import {
  BUCKET_RESOLUTION,
  bucketValue,
  bucketWindow,
  countValues,
} from '#lib/numerics/simulation/bucket-counts.ts';
import {
  chunkMoments,
  errorsOf,
  joinMoments,
  MOMENTS,
  momentsAt,
} from '#lib/numerics/simulation/central-moments.ts';
import { portfolioGrowth, rowGrowth, type Allocation } from '#lib/numerics/simulation/portfolio-growth.ts';
import { walkWealth, wealthChunk } from '#lib/numerics/simulation/wealth-paths.ts';
import { wilsonInterval } from '#lib/numerics/simulation/wilson-interval.ts';

const growth = Float64Array.of(1.1, 0.9, 0.8, 1.25, 1.05, 1.0, 1.5, 0.5);
const at = Int32Array.of(0, 2, 4, 6);

function held(rebalancing: Allocation['rebalancing'], weights = [0.6, 0.4], band = 0): number[] {
  const targets = Float64Array.from([...weights, ...weights, ...weights, ...weights]);
  const out = new Float64Array(4);
  portfolioGrowth(out, { growth, at }, { assets: 2, targets, rebalancing, band, fee: 1 });
  return [...out];
}

describe('portfolioGrowth', () => {
  it('equals the weighted growth of each row if weights are reset every month', () => {
    expect(held('monthly')).to.deep.equal([...rowGrowth(growth, Float64Array.of(0.6, 0.4), 1)]);
  });

  it('equals the growth of unchanged share numbers if weights are never reset', () => {
    const values = [0, 1, 2, 3].map((t) => {
      const value = (asset: number) =>
        [...at.subarray(0, t + 1)].reduce((product, row) => product * growth[row + asset]!, 1);
      return 0.6 * value(0) + 0.4 * value(1);
    });
    const products = held('never').map((_, t, factors) =>
      factors.slice(0, t + 1).reduce((product, each) => product * each, 1),
    );
    for (const [t, value] of values.entries()) expect(products[t]).to.be.closeTo(value, 1e-15);
  });

  it('resets weights only outside of their band', () => {
    expect(held('band', [0.6, 0.4], 1)).to.deep.equal(held('never'));
    expect(held('band', [0.6, 0.4], 1e-12)).to.deep.equal(held('monthly'));
    const some = held('band', [0.6, 0.4], 0.06);
    expect(some.slice(0, 2)).to.deep.equal(held('never').slice(0, 2));
    expect(some[2]).to.equal(held('monthly')[2]);
  });

  it('resets weights every twelfth month', () => {
    const targets = new Float64Array(26).fill(0.5);
    const out = new Float64Array(13);
    const rows = Float64Array.of(1.1, 1);
    const places = new Int32Array(13);
    portfolioGrowth(
      out,
      { growth: rows, at: places },
      { assets: 2, targets, rebalancing: 'yearly', band: 0, fee: 1 },
    );
    expect(out[12]).to.equal(out[0]);
    expect(out[11]).to.be.greaterThan(out[0]!);
  });

  it('deducts the fee each month, and stays at 0 after a total loss', () => {
    const targets = new Float64Array(4).fill(1);
    const out = new Float64Array(4);
    const rows = { growth: Float64Array.of(1.2, 0, 1.2), at: Int32Array.of(0, 1, 2, 2) };
    portfolioGrowth(out, rows, { assets: 1, targets, rebalancing: 'monthly', band: 0, fee: 0.5 });
    expect([...out]).to.deep.equal([0.6, 0, 0, 0]);
  });
});

describe('walkWealth', () => {
  const walk = (
    factors: readonly number[],
    flows: readonly number[],
    { initial = 100, units = null as number[] | null } = {},
  ) => {
    const chunk = wealthChunk(1, factors.length);
    const plan = {
      initial,
      flows: Float64Array.from(flows),
      units: units && Float64Array.from(units),
      slots: Int32Array.from(factors, (_, t) => t),
    };
    walkWealth(chunk, Float64Array.from(factors), plan, 0);
    return chunk;
  };

  it('adds the flow of a month before its growth', () => {
    expect([...walk([1.5, 0.5, 2], [100, 0, -50]).wealth]).to.deep.equal([300, 150, 200]);
  });

  it('records ruin, stays at 0, and adds up the withdrawals that are not paid', () => {
    const chunk = walk([1, 1, 1, 1], [-60, -60, 1000, -60]);
    expect([...chunk.wealth]).to.deep.equal([40, 0, 0, 0]);
    expect([chunk.ruin[0], chunk.unpaid[0]]).to.deep.equal([2, 80]);
    const lost = walk([0, 1], [0, -10]);
    expect([lost.ruin[0], lost.unpaid[0], lost.drawdown[0]]).to.deep.equal([1, 10, 1]);
    const exact = walk([1, 1], [-50, -50]);
    expect([exact.ruin[0], exact.wealth[1]]).to.deep.equal([0, 0]);
  });

  it('measures drawdowns and months below an earlier level without the effect of the flows', () => {
    for (const flow of [0, 1000, -1]) {
      const chunk = walk([2, 0.5, 0.75, 4, 0.9], [0, flow, 0, 0, 0]);
      expect([chunk.drawdown[0], chunk.longest[0], chunk.below[0]]).to.deep.equal([0.625, 2, 3]);
    }
  });

  it('finds the same withdrawal as a bisection over the same path', () => {
    const factors = [1.02, 0.7, 1.1, 0.95, 1.3, 0.99];
    const flows = [0, 30, 0, -20, 0, 0];
    const units = [0, 1, 1.01, 1.02, 1.03, 0];
    const [most] = walk(factors, flows, { units }).affordable;
    let [low, high] = [0, 200];
    for (let step = 0; step < 60; step += 1) {
      const middle = (low + high) / 2;
      const asked = flows.map((flow, t) => flow - middle * units[t]!);
      if (walk(factors, asked).ruin[0] === 0) low = middle;
      else high = middle;
    }
    expect(most).to.be.closeTo(low, 1e-9);
    expect(walk([1, 1], [0, -200], { units: [1, 1] }).affordable[0]).to.equal(0);
    expect(walk([1, 0, 1], [0, 0, 0], { units: [1, 1, 1] }).affordable[0]).to.equal(0);
  });
});

describe('central moments', () => {
  const values = Float64Array.from({ length: 1_000 }, (_, at) => ((at * 7919) % 1009) / 100 + 5);
  const of = (from: number, to: number) => {
    const numbers = new Float64Array(MOMENTS);
    chunkMoments(values.subarray(from, to), to - from, numbers, 0);
    return momentsAt(numbers, 0);
  };

  it('are the same for all values at once as for merged groups', () => {
    const whole = of(0, 1_000);
    const joined = joinMoments(joinMoments(of(0, 10), of(10, 10)), joinMoments(of(10, 700), of(700, 1_000)));
    for (const name of ['count', 'mean', 'second', 'third', 'fourth'] as const)
      expect(joined[name] / whole[name], name).to.be.closeTo(1, 1e-11);
  });

  it('give standard errors, and 0 without values', () => {
    const two = of(0, 2);
    const half = Math.abs(values[1]! - values[0]!) / 2;
    expect(errorsOf(two).deviation).to.be.closeTo(half, 1e-12);
    expect(errorsOf(two).meanError).to.be.closeTo(half / Math.sqrt(2), 1e-12);
    expect(errorsOf(of(5, 5))).to.deep.equal({ deviation: 0, meanError: 0, deviationError: 0 });
  });
});

describe('bucket counts', () => {
  it('represent every value within the window to their resolution, and are the same for any order of the values', () => {
    const values = Float64Array.from({ length: 5_000 }, (_, at) => 1.003 ** (at - 2_500) * 1e6);
    const window = bucketWindow(values);
    for (const value of values) {
      const counts = new Uint32Array(window.size);
      countValues(counts, Float64Array.of(value), 1, window);
      const place = counts.indexOf(1);
      expect(Math.abs(bucketValue(place, window) / value - 1)).to.be.at.most(BUCKET_RESOLUTION);
    }
    const once = new Uint32Array(window.size);
    countValues(once, values, values.length, window);
    const twice = new Uint32Array(window.size);
    countValues(twice, values.subarray(2_000), 3_000, window);
    countValues(twice, values, 2_000, window);
    expect(twice).to.deep.equal(once);
  });

  it('count 0 and values outside of the window in the buckets at its ends', () => {
    const window = bucketWindow(Float64Array.of(0, 2, 3));
    const counts = new Uint32Array(window.size);
    countValues(counts, Float64Array.of(0, 1e-300, 1e300), 3, window);
    expect([counts[0], counts[1], counts.at(-1)]).to.deep.equal([1, 1, 1]);
    expect([bucketValue(0, window), bucketValue(1, window)]).to.deep.equal([0, 0.5]);
    expect(bucketValue(window.size - 1, window)).to.be.closeTo(12, 0.05);
    expect(bucketWindow(new Float64Array(3)).size).to.be.greaterThan(3);
  });
});

describe('wilsonInterval', () => {
  it('has the published values, and 0 and 1 at the ends', () => {
    const [low, high] = wilsonInterval(81, 263);
    // Newcombe, Statistics in Medicine 17 (1998), table I.
    expect([low.toFixed(4), high.toFixed(4)]).to.deep.equal(['0.2553', '0.3662']);
    expect(wilsonInterval(0, 20)[0]).to.equal(0);
    expect(wilsonInterval(20, 20)[1]).to.equal(1);
    expect(() => wilsonInterval(3, 2)).to.throw(RangeError);
  });
});

describe('bootstrapExpectation', () => {
  const factors = Float64Array.of(1.1, 0.9, 1.3);

  it('equals the sum over all paths of a stationary bootstrap', () => {
    const block = 2.5;
    let expected = 0;
    const follow = (row: number, product: number, probability: number, left: number): void => {
      if (left === 0) {
        expected += product * probability;
        return;
      }
      for (let next = 0; next < 3; next += 1) {
        const jump = 1 / block / 3 + (next === (row + 1) % 3 ? 1 - 1 / block : 0);
        follow(next, product * factors[next]!, probability * jump, left - 1);
      }
    };
    for (let row = 0; row < 3; row += 1) follow(row, factors[row]!, 1 / 3, 4);
    const plan = { method: 'stationary', block, rows: 3, horizon: 5 } as const;
    expect(bootstrapExpectation(factors, plan)).to.be.closeTo(expected, 1e-14);
  });

  it('multiplies the expectations of the whole blocks and of the last incomplete block', () => {
    const plan = { method: 'circular', block: 2, rows: 3, horizon: 5 } as const;
    const pairs = (1.1 * 0.9 + 0.9 * 1.3 + 1.3 * 1.1) / 3;
    expect(bootstrapExpectation(factors, plan)).to.be.closeTo(pairs * pairs * 1.1, 1e-14);
    const single = { ...plan, method: 'independent' } as const;
    expect(bootstrapExpectation(factors, single)).to.be.closeTo(1.1 ** 5, 1e-14);
  });
});
