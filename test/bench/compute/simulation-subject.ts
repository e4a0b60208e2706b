import { readFileSync } from 'node:fs';
import { exp } from '#lib/numerics/exponential.ts';
import { prepareSimulation } from '#lib/quant/simulations/prepare-simulation.ts';
import { runSimulation } from '#lib/quant/simulations/run-simulation.ts';
import type { SimulationData } from '#lib/quant/simulations/simulation-data.ts';
import type { SimulationInput } from '#lib/quant/simulations/simulations.schema.ts';
import { serveRounds } from '../factors/serve-rounds.ts';

/** Assay's side of a simulation: its whole result, from the input and the monthly returns of a file. */
const [name, paths, months, size, returnsPath, resultPath] = process.argv.slice(2) as [
  'law' | 'bootstrap',
  string,
  string,
  string,
  string,
  string,
];
const INITIAL = 1e12;
const assets = Array.from({ length: Number(size) }, (_, at) => `A${at}`);
const laws: Record<typeof name, SimulationInput['source']> = {
  law: { kind: 'parametric', means: [0.005], covariance: [[0.0016]], law: 'normal', degrees: null },
  bootstrap: { kind: 'history', from: null, to: '2022-12-31', method: 'circular', block: 6 },
};
const input: SimulationInput = {
  source: laws[name],
  assets,
  initial_minor: INITIAL,
  glide: [{ month: 1, weights: assets.map(() => 1 / assets.length) }],
  rebalance: 'monthly',
  band: null,
  horizon: Number(months),
  paths: Number(paths),
  flows: [],
  inflation: 0,
  fees_bps: 0,
  goals: [],
  withdrawal: null,
  antithetic: false,
  seed: 1,
};
const data: SimulationData =
  name === 'law' ? { kind: 'parametric' } : { kind: 'history', prices: pricesOf() };

/** Returns prices whose monthly log returns are the returns of the file. The first price is one month earlier. */
function pricesOf() {
  const rows = readFileSync(returnsPath, 'utf8').trim().split('\n').slice(1);
  return assets.map((symbol, place) => {
    let price = 1;
    const cells = rows.map((row) => {
      const cell = row.split(',');
      price *= exp(Number(cell[place + 1]));
      return `${cell[0]} ${price}`;
    });
    return { symbol, observations: ['1990-01-31 1', ...cells].join(',') };
  });
}

await serveRounds(
  () => {
    const prepared = prepareSimulation(input, data);
    if (!prepared.ok) throw new Error(prepared.refusal.detail);
    const { terminal } = runSimulation(input, prepared, { progress: () => {}, cancelled: () => false });
    return Float64Array.of(terminal.mean_minor! / INITIAL, terminal.mean_error_minor! / INITIAL);
  },
  resultPath,
  () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1_000;
  },
);
