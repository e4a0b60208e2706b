import { expect } from 'chai';
import { pathRun } from '#lib/models/scenarios/path-run.ts';
import { exp } from '#lib/numerics/exponential.ts';
import { cashPlan } from '#lib/quant/simulations/cash-plan.ts';
import { modelGrowth } from '#lib/quant/simulations/model-growth.ts';
import { monthlyGrowth } from '#lib/quant/simulations/simulation-data.ts';
import { simulationFaults } from '#lib/quant/simulations/simulation-faults.ts';
import { fanMonthsOf, slotsOf } from '#lib/quant/simulations/simulation-setup.ts';
import type { SimulationInput } from '#lib/quant/simulations/simulations.schema.ts';
import { targetWeights } from '#lib/quant/simulations/target-weights.ts';
import { CHECKPOINT, pathInput } from '../../models/checkpoint.ts';
import { history, simulationOf } from './simulation-cases.ts';

describe('simulationFaults', () => {
  const covariance = (rows: number[][]) => ({ ...simulationOf().source, covariance: rows }) as never;
  const flow = { from: 1, to: 2, amount_minor: -60_000_000, indexed: false };
  const goal = { name: 'a', at: 3, amount_minor: 1, real: false };
  const point = (month: number, weights = [0.5, 0.5]) => ({ month, weights });
  const cases: [string, Partial<SimulationInput>, string[]][] = [
    ['accepts a valid request', {}, []],
    ['refuses weights that do not sum to 1', { glide: [point(1, [0.5, 0.6])] }, ['/glide/0/weights']],
    ['refuses a wrong number of weights', { glide: [point(1, [1])] }, ['/glide/0/weights']],
    [
      'refuses months of a glide path out of order or beyond the horizon',
      { glide: [point(2), point(2), point(25)] },
      ['/glide/0/month', '/glide/1/month', '/glide/2/month'],
    ],
    [
      'refuses a glide path without rebalancing',
      { glide: [point(1), point(2)], rebalance: 'never' },
      ['/rebalance'],
    ],
    [
      'refuses an asymmetric covariance',
      {
        source: covariance([
          [1, 0.1],
          [0.2, 1],
        ]),
      },
      ['/source/covariance/1/0'],
    ],
    ['refuses a covariance of another size', { source: covariance([[1, 0.1]]) }, ['/source/covariance']],
    ['refuses withdrawals above the wealth', { flows: [flow, flow] }, ['/flows/0/amount_minor']],
    ['refuses a flow that ends before it begins', { flows: [{ ...flow, from: 3 }] }, ['/flows/0/to']],
    ['refuses a flow beyond the horizon', { flows: [{ ...flow, to: 25 }] }, ['/flows/0/to']],
    ['refuses two goals of one name', { goals: [goal, goal] }, ['/goals/1/name']],
    ['refuses a goal beyond the horizon', { goals: [{ ...goal, at: 25 }] }, ['/goals/0/at']],
    ['refuses antithetic paths if their number is odd', { antithetic: true, paths: 1_001 }, ['/paths']],
    ['refuses antithetic paths of a history', { antithetic: true, source: history }, ['/antithetic']],
    [
      'refuses a history that ends before it begins',
      { source: { ...history, from: '2021-01-01' } as never },
      ['/source/from'],
    ],
    [
      'refuses more paths than the limit of cells allows',
      {
        paths: 10_000_000,
        horizon: 600,
        assets: Array.from({ length: 3 }, (_, at) => `a${at}`),
        source: history,
        glide: [point(1, [0.2, 0.3, 0.5])],
      },
      ['/paths'],
    ],
    [
      'refuses a withdrawal that ends before it begins',
      { withdrawal: { solve: 0.9, from: 5, to: 4, indexed: true } },
      ['/withdrawal/to'],
    ],
  ];
  for (const [title, changed, pointers] of cases)
    it(title, () => {
      const found = simulationFaults(simulationOf(changed), 'glide');
      expect(found.map(({ pointer }) => pointer)).to.deep.equal(pointers);
    });
});

describe('The plan of a simulation', () => {
  it('interpolates target weights between the points of a glide path', () => {
    const glide = [
      { month: 1, weights: [1, 0] },
      { month: 3, weights: [0, 1] },
    ];
    expect([...targetWeights(glide, 4)]).to.deep.equal([1, 0, 0.5, 0.5, 0, 1, 0, 1]);
  });

  it('adds up the flows of a month, and applies indexation from the second month on', () => {
    const { flows, units, goals, invested } = cashPlan(
      simulationOf({
        horizon: 13,
        flows: [
          { from: 1, to: 13, amount_minor: 100, indexed: true },
          { from: 2, to: 2, amount_minor: -40, indexed: false },
        ],
        goals: [{ name: 'a', at: 12, amount_minor: 1000, real: true }],
        withdrawal: { solve: 0.9, from: 13, to: 13, indexed: true },
      }),
      { initial: 100_000_000, inflation: 0.1 },
    );
    expect(flows[0]).to.equal(100);
    expect(flows[1]).to.be.closeTo(100 * 1.1 ** (1 / 12) - 40, 1e-12);
    expect(flows[12]).to.be.closeTo(110, 1e-10);
    expect(goals[0]!.amount).to.be.closeTo(1100, 1e-9);
    expect([units![11], invested > 100_001_260]).to.deep.equal([0, true]);
    expect(units![12]).to.be.closeTo(1.1, 1e-12);
  });

  it('shows at most 61 months, ending with the horizon', () => {
    expect(fanMonthsOf(3)).to.deep.equal([1, 2, 3]);
    expect(fanMonthsOf(122).slice(0, 3)).to.deep.equal([2, 4, 6]);
    for (const horizon of [61, 62, 599, 600]) {
      const months = fanMonthsOf(horizon);
      expect([months.length, months.at(-1), new Set(months).size]).to.deep.equal([61, horizon, 61]);
    }
    const goals = [{ name: 'a', month: 1, amount: 1, isReal: false }];
    expect([...slotsOf(4, [2, 4], goals)]).to.deep.equal([2, 0, -1, 1]);
  });
});

describe('monthlyGrowth', () => {
  const series = (symbol: string, cells: string) => ({ symbol, observations: cells });
  const own = series('A', '2020-01-31 10,2020-02-28 11,2020-03-31 12,2020-04-30 9');

  it('uses the newest months without a gap in which every symbol has a price', () => {
    const other = series('B', '2020-01-30 5,2020-02-27 5,2020-03-30 6');
    const both = monthlyGrowth([own, other], ['A', 'B']);
    expect(both.days).to.deep.equal(['2020-02-28', '2020-03-31']);
    expect([...both.growth]).to.deep.equal([1.1, 1, 12 / 11, 1.2]);
    const gap = series('B', '2020-01-30 5,2020-03-30 6,2020-04-30 9');
    expect([...monthlyGrowth([own, gap], ['A', 'B']).growth]).to.deep.equal([0.75, 1.5]);
    expect(monthlyGrowth([own], ['A', 'C']).days).to.deep.equal([]);
    expect(monthlyGrowth([], ['A']).days).to.deep.equal([]);
  });
});

describe('modelGrowth', () => {
  it('equals the growth of the paths that a path run draws with the same seed', () => {
    const input = pathInput({ regime: 'current', horizon: 5, paths: 100, seed: 11 });
    const { matrix } = pathRun(input, CHECKPOINT);
    const allocation = {
      assets: 2,
      targets: targetWeights([{ month: 1, weights: [0, 1] }], 5),
      rebalancing: 'monthly',
      band: 0,
      fee: 1,
    } as const;
    const out = new Float64Array(100 * 5);
    const data = { checkpoint: CHECKPOINT, months: null };
    const plan = { allocation, seed: 11, horizon: 5 };
    modelGrowth(data, { ...plan, source: { regime: 'current' } })(out, 0, 100);
    for (let path = 0; path < 100; path += 1) {
      let product = 1;
      for (let t = 0; t < 5; t += 1) product *= out[path * 5 + t]!;
      expect(product / exp(matrix[(path * 5 + 4) * 2 + 1]!)).to.be.closeTo(1, 1e-12);
    }
    expect(() => modelGrowth(data, { ...plan, source: { regime: 'crisis' } })).to.throw(/no regime/);
  });

  const months = Float64Array.from({ length: 2 * 150 }, (_, at) => {
    const month = at >> 1;
    return month < 100 ? 0.01 + 0.02 * Math.sin(3 * at) : -0.05 + 0.1 * Math.sin(at);
  });
  const plan = {
    allocation: {
      assets: 2,
      targets: targetWeights([{ month: 1, weights: [0.5, 0.5] }], 4),
      rebalancing: 'monthly',
      band: 0,
      fee: 1,
    },
    seed: 5,
    horizon: 4,
  } as const;
  const engines = [
    ['student_t', 5],
    ['filtered_historical', undefined],
    ['t_copula_empirical', 4],
  ] as const;
  for (const [engine, degrees_of_freedom] of engines) {
    const source = { regime: 'ergodic', engine, degrees_of_freedom } as const;
    const draw = (first: number, count: number) => {
      const out = new Float64Array(count * 4);
      modelGrowth({ checkpoint: CHECKPOINT, months }, { ...plan, source: source as never })(
        out,
        first,
        count,
      );
      return out;
    };

    it(`draws the same months with the engine ${engine} in every division`, () => {
      const whole = draw(0, 300);
      expect([...draw(0, 100), ...draw(100, 200)]).to.deep.equal([...whole]);
      const mean = whole.reduce((total, each) => total + each, 0) / whole.length;
      // 0.75 of the months are calm. The expected growth is about 1.002 with `student_t`, and about 0.995 with the two
      // engines that use the returns of `months`.
      expect(mean).to.be.closeTo(1, 0.02);
      expect(new Set(whole).size).to.be.greaterThan(100);
    });
  }

  it('draws whole months of the past with the engine filtered_historical', () => {
    const source = { regime: 'ergodic', engine: 'filtered_historical' } as const;
    const one = {
      ...plan,
      allocation: { ...plan.allocation, targets: targetWeights([{ month: 1, weights: [1, 0] }], 4) },
    };
    const out = new Float64Array(200 * 4);
    modelGrowth({ checkpoint: CHECKPOINT, months }, { ...one, source })(out, 0, 200);
    const past = new Set([...months].filter((_, at) => at % 2 === 0).map(exp));
    expect([...out].every((each) => past.has(each))).to.equal(true);
    expect(() => modelGrowth({ checkpoint: CHECKPOINT, months: null }, { ...one, source })).to.throw(
      /training months/,
    );
  });
});
