import type { DatasetKind } from '#lib/data/dataset-kind.ts';

/** The scopes that permit seeing records in a lineage. */
export type Reader = {
  scopes: ReadonlySet<string>;
  /** The scope of each kind of run. */
  scopeOfRun: Readonly<Record<string, string>>;
};

const dataScopes: Readonly<Record<DatasetKind, string>> = {
  prices: 'data:market:read',
  corporate_actions: 'data:market:read',
  instruments: 'data:market:read',
  fundamentals: 'data:fundamentals:read',
  metrics: 'data:fundamentals:read',
  economics: 'data:economics:read',
  taxonomy: 'data:reference:read',
  numeric: 'data:reference:read',
};

/** Whether a reader may see a dataset of a kind. */
export function readsDataset({ scopes }: Reader, kind: DatasetKind): boolean {
  return scopes.has(dataScopes[kind]);
}

/** Whether a reader may see a run of a kind: with the scope of the kind, or the scope that reads all runs. */
export function readsRun({ scopes, scopeOfRun }: Reader, kind: string): boolean {
  return scopes.has('quant:compute:read') || (scopeOfRun[kind] !== undefined && scopes.has(scopeOfRun[kind]));
}

const recordScopes: Readonly<Record<string, string>> = {
  obligation: 'actions:read',
  order_batch: 'investment:read',
  forecast_batch: 'planning:read',
  workflow_run: 'workflow:read',
  model: 'qlm:read',
  qlm_answer: 'qlm:read',
  portfolio: 'investment:read',
  feature: 'quant:features:read',
};

/** Whether a reader may see a record that is neither a dataset nor a run. */
export function readsRecord({ scopes }: Reader, kind: string): boolean {
  const scope = recordScopes[kind];
  return scope !== undefined && scopes.has(scope);
}
