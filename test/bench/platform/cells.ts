import { serviceClasses } from '#lib/database/base.ts';
import { cellsOf, type StoredContribution } from '#lib/benchmarking/cell.ts';
import { sizeBands } from '#lib/benchmarking/cohorts.ts';
import { metricKeys } from '#lib/benchmarking/metrics.ts';
import { MONTHS_COMPARED } from '#lib/benchmarking/months.ts';
import type { BenchContext, Row } from '../bench.ts';
import { median } from 'simple-statistics';

const ROUNDS = { full: 9, tiny: 1 };
const WORKSPACES = { full: 1_000, tiny: 60 };
const REGIONS = 22;
const LIMIT_MS = 1_000;

/** Measures the computation of all cells of a month, with their disclosure control. */
export function cellRows(bench: string, { size, notify }: BenchContext): Row[] {
  const contributions = metricKeys.flatMap((metric) => contributionsOf(metric, WORKSPACES[size]));
  const terms = { period: '2026-10', pPercent: '10', serviceClasses };
  const published = cellsOf({ metric: metricKeys[0]!, currency: null }, contributions, terms)
    .filter(({ basis }) => basis.reason === null)
    .map(({ published: { cohort }, basis: { groups } }) => ({ cohort, groups }));
  const earlier = Array.from({ length: MONTHS_COMPARED }, (_, month) => ({
    cells: published,
    contributions: contributionsOf('', WORKSPACES[size]).map((each, at) => ({
      ...each,
      value: at % 2 === 0 ? each.value : (((at * 37 + month + 1) % 1_000) / 1_000).toFixed(8),
    })),
  }));
  let cells = 0;
  const times = Array.from({ length: ROUNDS[size] }, () => {
    const started = process.cpuUsage();
    cells = metricKeys.flatMap((metric) =>
      cellsOf({ metric, currency: null }, contributions, { ...terms, earlier }),
    ).length;
    const { user, system } = process.cpuUsage(started);
    return (user + system) / 1_000;
  });
  notify(`${cells} benchmark cells`);
  const figure = median(times);
  const met = figure <= (LIMIT_MS * Math.max(cells, 200)) / 200;
  return [
    {
      ...{ bench, case: `${cells} benchmark cells of ${WORKSPACES[size]} workspaces`, figure, unit: 'ms' },
      ...{ peer: null, ratio: null, spread: null, target: `<= ${LIMIT_MS} ms for 200 cells`, met },
      note: 'processor time of the computation of the cells of a month from stored contributions, with 24 earlier months, without the database',
    },
  ];
}

function contributionsOf(metric: string, workspaces: number): StoredContribution[] {
  return Array.from({ length: workspaces }, (_, at) => ({
    workspace: `wsp_${String(at).padStart(26, '0')}`,
    metric,
    currency: null,
    group: `g${at}`,
    serviceClass: serviceClasses[at % serviceClasses.length]!,
    region: `r${at % REGIONS}`,
    sizeBand: sizeBands[(at * 7) % sizeBands.length]!,
    value: (((at * 37) % 1_000) / 1_000).toFixed(8),
    weight: String(20 + ((at * 13) % 500)),
  }));
}
