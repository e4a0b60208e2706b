import { readFileSync } from 'node:fs';
import path from 'node:path';
import { rowsOf } from './market.ts';

type Named = { id: number; name: string };
export type RunOfFixture = { ref: string; operation: string; query?: string; body: Record<string, unknown> };

/** The sample workspace that a file of cases describes. */
export type Fixture = {
  clock: string;
  companies: Named[];
  counterparties: Named[];
  obligations: Record<string, string | number | null>[];
  delegations: Record<string, string>[];
  exceptions: Record<string, string | null>[];
  workflow_runs: Record<string, string>[];
  runs: RunOfFixture[];
  vocabulary: Record<string, string[]>;
  qlm: { key: string; bound_lqm: string; stale_after_days: Record<string, number> };
  other_workspace: { name: string; companies: Named[]; metrics: Record<string, unknown>[] };
  metrics: Record<string, string>[];
  transactions: Record<string, string>[];
};

/** Reads the fixture in the folder of a file of cases. */
export function fixtureBeside(file: string): Fixture {
  const read = (name: string): string => readFileSync(path.join(path.dirname(file), name), 'utf8');
  const fixture = JSON.parse(read('fixture.json')) as Omit<Fixture, 'metrics' | 'transactions'>;
  return { ...fixture, metrics: rowsOf(read('metrics.csv')), transactions: rowsOf(read('transactions.csv')) };
}
