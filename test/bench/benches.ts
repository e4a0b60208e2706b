import type { Bench } from './bench.ts';

/** Every bench by name, in the order in which all of them run. */
export const benches: Readonly<Record<string, () => Promise<{ bench: Bench }>>> = {
  http: () => import('./http.ts'),
  jobs: () => import('./jobs.ts'),
};
