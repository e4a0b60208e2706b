import type { Size } from '../bench.ts';
import type { Bound } from '../rounds.ts';

/** The measured simulations, by the name that both sides know. */
export type SimulationCase = {
  name: 'law' | 'bootstrap';
  paths: number;
  months: number;
  assets: number;
  bound: Bound;
};

/** Returns the cases of a size. */
export function simulationCases(size: Size): SimulationCase[] {
  const paths = size === 'full' ? { law: 200_000, bootstrap: 1_000_000 } : { law: 2_000, bootstrap: 2_000 };
  return [
    { name: 'law', paths: paths.law, months: 120, assets: 1, bound: { max: 2.5 } },
    { name: 'bootstrap', paths: paths.bootstrap, months: 120, assets: 10, bound: { max: 0.9 } },
  ];
}
