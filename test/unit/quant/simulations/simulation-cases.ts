import type { SimulationInput } from '#lib/quant/simulations/simulations.schema.ts';

/** A simulation of two assets with normally distributed log returns, with some members changed. */
export function simulationOf(changed: Partial<SimulationInput> = {}): SimulationInput {
  return {
    source: {
      kind: 'parametric',
      means: [0.006, 0.002],
      covariance: [
        [0.0025, 0.0003],
        [0.0003, 0.0004],
      ],
      law: 'normal',
      degrees: null,
    },
    assets: ['shares', 'bonds'],
    initial_minor: 100_000_000,
    glide: [{ month: 1, weights: [0.6, 0.4] }],
    rebalance: 'monthly',
    band: null,
    horizon: 24,
    paths: 9_000,
    flows: [],
    inflation: 0,
    fees_bps: 0,
    goals: [],
    withdrawal: null,
    antithetic: false,
    seed: 5,
    ...changed,
  };
}

/** A history of two symbols: the last price of each of 61 months. */
export const prices = ['AAA', 'BBB'].map((symbol, place) => {
  let price = 100;
  const cells = Array.from({ length: 61 }, (_, month) => {
    price *= 1.004 + (((month * (37 + 12 * place)) % 23) - 11) / 300;
    const year = 2015 + Math.floor(month / 12);
    return `${year}-${String((month % 12) + 1).padStart(2, '0')}-28 ${price.toFixed(6)}`;
  });
  return { symbol, observations: cells.join(',') };
});

export const history: Extract<SimulationInput['source'], { kind: 'history' }> = {
  kind: 'history',
  from: null,
  to: '2020-12-31',
  method: 'stationary',
  block: 'auto',
};

export const idle = { progress: () => {}, cancelled: () => false };
