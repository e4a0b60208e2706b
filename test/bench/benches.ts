import type { Bench } from './bench.ts';

/** Every bench by name, in the order of a run of all benches. */
export const benches: Readonly<Record<string, () => Promise<{ bench: Bench }>>> = {
  factors: () => import('./factors.ts'),
  forecast: () => import('./forecast.ts'),
  'forecast-batch': () => import('./forecast-batch.ts'),
  access: () => import('./access.ts'),
  http: () => import('./http.ts'),
  actions: () => import('./actions.ts'),
  submit: () => import('./submit.ts'),
  jobs: () => import('./jobs.ts'),
  fairness: () => import('./fairness.ts'),
  import: () => import('./import.ts'),
  data: () => import('./data.ts'),
  trust: () => import('./trust.ts'),
  workers: () => import('./workers.ts'),
  models: () => import('./models.ts'),
  portfolios: () => import('./portfolios.ts'),
  compute: () => import('./compute.ts'),
  tournaments: () => import('./tournaments.ts'),
  platform: () => import('./platform.ts'),
  memory: () => import('./memory.ts'),
  qlms: () => import('./qlms.ts'),
};
