import Table from 'cli-table3';
import { tableStyle } from '#api/cli/shell/output.ts';
import type { Budget } from './budget.ts';

/** Processor time of a part of the tests, in seconds. */
export type Spent = { area: string; seconds: number };

/** Returns the area of a file: its folder below `test/`, and for live tests the folder below that. */
export function areaOf(file: string): string {
  const [, area = '', folder = ''] = file.split('/');
  if (area.endsWith('.ts')) return 'code';
  return area === 'live' ? `live/${folder.endsWith('.ts') ? '*' : folder}` : area;
}

/** Returns the areas with their processor times, the longest time first. */
export function sumByArea(spent: readonly Spent[]): Spent[] {
  const sums = Map.groupBy(spent, ({ area }) => area);
  return [...sums]
    .map(([area, each]) => ({ area, seconds: each.reduce((sum, { seconds }) => sum + seconds, 0) }))
    .sort((a, b) => b.seconds - a.seconds);
}

/**
 * Formats a table of areas: the processor time, its ratio to the time of the calibration loop, and the share
 * by which it exceeds the budget.
 */
export function tableOfAreas(spent: readonly Spent[], unitSeconds: number, budget: Budget): string {
  const table = new Table({
    head: ['area', 'processor time, s', 'x calibration', 'share', ''],
    colAligns: ['left', 'right', 'right', 'right', 'left'],
    ...tableStyle,
  });
  const row = (area: string, seconds: number, share: number | undefined) => {
    const units = seconds / unitSeconds;
    const isAbove = share !== undefined && units > share;
    table.push([area, seconds.toFixed(1), units.toFixed(1), share ?? '', isAbove ? 'above its share' : '']);
  };
  for (const { area, seconds } of spent) row(area, seconds, budget.shares[area]);
  row(
    'all',
    spent.reduce((sum, { seconds }) => sum + seconds, 0),
    budget.total,
  );
  return table.toString();
}
