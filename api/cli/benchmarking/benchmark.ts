import { Option, type Command } from 'commander';
import type { BenchmarkMembership } from '#lib/benchmarking/benchmark-membership.entity.ts';
import {
  explainCells,
  type ComparisonFilter,
  type ExplainedCell,
} from '#lib/benchmarking/comparison.query.ts';
import { joinBenchmarks } from '#lib/benchmarking/join-benchmarks.command.ts';
import { leaveBenchmarks } from '#lib/benchmarking/leave-benchmarks.command.ts';
import { listMemberships } from '#lib/benchmarking/membership.query.ts';
import { isMetricKey, metricKeys, metrics, type MetricKey } from '#lib/benchmarking/metrics.ts';
import { setParameter } from '#lib/benchmarking/set-parameter.command.ts';
import { Refusal } from '#lib/core/refusal.ts';
import { askIn } from '../shell/ask.ts';
import { governAs, governUnnamed } from '../shell/govern.ts';
import { withPerson, type GovernedOptions } from '../shell/governed.ts';
import { ask } from '../shell/operator.ts';
import { limitOption, withJson, words } from '../shell/options.ts';
import { print, printRows, type OutputOptions } from '../shell/output.ts';
import { inWorkspaceOf } from '../shell/place.ts';

const GROUP = /^[a-z0-9][a-z0-9-]{0,62}$/;

type InWorkspace = OutputOptions & GovernedOptions & { workspace: string };
type CellOptions = OutputOptions & ComparisonFilter & { limit: number; why?: boolean };

export function register(program: Command): void {
  const group = program.command('benchmark');
  withPerson(
    inWorkspaceOf(group.command('join'), 'let the production environment take part from the next month on'),
  )
    .requiredOption('--metrics <list>', 'the metrics to contribute, separated by commas')
    .option('--group <key>', 'the group of affiliates that counts as one contributor')
    .action(
      async ({
        metrics: list,
        group: key,
        ...options
      }: InWorkspace & { metrics: string; group?: string }) => {
        const input = { workspace: options.workspace, metrics: metricList(list), group: groupKey(key) };
        const { result } = await governAs(joinBenchmarks, input, options);
        print(presentMembership(result), options);
      },
    );
  withPerson(inWorkspaceOf(group.command('leave'), 'end the participation; published cells stay')).action(
    async (options: InWorkspace) => {
      const { result } = await governAs(leaveBenchmarks, { workspace: options.workspace }, options);
      print(presentMembership(result), options);
    },
  );
  inWorkspaceOf(
    group.command('memberships'),
    'list the periods in which the workspace takes part, newest first',
  )
    .addOption(limitOption(50))
    .action(
      async ({ workspace, limit, ...options }: OutputOptions & { workspace: string; limit: number }) => {
        const found = await askIn({ workspace, environment: 'production' }, listMemberships, limit);
        printRows(found, options, presentMembership);
      },
    );
  withJson(group.command('metrics'))
    .description('list the metrics, with the number of records that a workspace needs to contribute')
    .action((options: OutputOptions) =>
      printRows(metricKeys, options, (key) => ({ metric: key, ...metrics[key] })),
    );
  withJson(group.command('cells'))
    .description('list the published cells, newest first')
    .addOption(new Option('--metric <key>', 'only cells of this metric').choices(metricKeys))
    .option('--period <month>', 'only cells of this month, YYYY-MM')
    .option('--cohort <key>', 'only cells of this cohort')
    .option('--why', 'also print the reasons for withholding and the exact number of contributors')
    .addOption(limitOption(100))
    .action(async ({ metric, period, cohort, limit, why, ...options }: CellOptions) => {
      const found = await ask('everywhere', explainCells, { metric, period, cohort }, limit);
      printRows(found, options, (cell) => presentCell(cell, why === true));
    });
  withJson(group.command('set-parameter'))
    .description('set the secret parameter of the p % rule; callers of the API cannot read it')
    .requiredOption('--p <percent>', 'the parameter in percent, 1 to 50, with at most 4 decimal places')
    .action(async ({ p, ...options }: OutputOptions & { p: string }) => {
      const { result } = await governUnnamed(setParameter, { pPercent: p });
      print({ revision: result.revision, set_at: result.at.toISOString() }, options);
    });
}

function metricList(text: string): MetricKey[] {
  const keys = [...new Set(words(text))];
  const unknown = keys.filter((key) => !isMetricKey(key));
  if (keys.length === 0 || unknown.length > 0) {
    throw new Refusal('unknown_metric', `the metrics are ${metricKeys.join(', ')}`);
  }
  return keys.filter(isMetricKey);
}

function groupKey(text: string | undefined): string | null {
  if (text === undefined) return null;
  if (!GROUP.test(text)) {
    throw new Refusal('invalid_group', '--group takes 1 to 63 lower-case letters, digits and hyphens');
  }
  return text;
}

function presentMembership(membership: BenchmarkMembership) {
  const { uid, metrics: contributed, groupKey: group, joinedAt, leftAt } = membership;
  return {
    uid,
    metrics: contributed,
    group: group ?? null,
    joined_at: joinedAt.toISOString(),
    left_at: leftAt?.toISOString() ?? null,
  };
}

function presentCell(cell: ExplainedCell, isExplained: boolean) {
  const { period, metric, currency, cohort, contributorsAtLeast, distribution, pooled } = cell;
  return {
    period,
    metric,
    currency,
    cohort,
    contributors_at_least: contributorsAtLeast,
    median: distribution?.p50 ?? null,
    pooled,
    suppression_reason: cell.suppressionReason,
    ...(isExplained
      ? { reason: cell.reason, pooled_reason: cell.pooledReason, contributors: cell.groups }
      : {}),
    cell_hash: cell.cellHash,
  };
}
