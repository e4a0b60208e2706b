import { sql } from 'kysely';
import type { Em } from '#lib/database/base.ts';
import { listComparisons } from './comparison.query.ts';
import type { MetricKey } from './metrics.ts';
import { presentComparison } from './present-comparison.ts';

/** The largest number of cells in a report. */
const CELLS_MAX = 200;

export type PeerReport = {
  /** The month; null if no cell of the cohort is published. */
  period: string | null;
  cohort: string;
  /** The number of cells to which the workspace contributed. */
  contributing: number;
  comparisons: ReturnType<typeof presentComparison>[];
};

/**
 * Returns the published cells of a cohort in one month, with the figures of the current tenant. The default month is
 * the newest month for which the cohort has a published cell.
 */
export async function peerReport(
  em: Em,
  { period, metric, cohort = 'all' }: { period?: string; metric?: MetricKey; cohort?: string },
): Promise<PeerReport> {
  const month = period ?? (await newestPeriod(em, cohort));
  if (month === null) return { period: null, cohort, contributing: 0, comparisons: [] };
  const page = { after: undefined, limit: CELLS_MAX };
  const comparisons = (await listComparisons(em, { period: month, metric, cohort }, page)).map(
    presentComparison,
  );
  const contributing = comparisons.filter(({ status }) => status === 'contributing').length;
  return { period: month, cohort, contributing, comparisons };
}

async function newestPeriod(em: Em, cohort: string): Promise<string | null> {
  const { rows } = await sql<{ period: string | null }>`
    select max(period) as period from benchmark_cell where cohort = ${cohort}
  `.execute(em.getKysely());
  return rows[0]!.period;
}
