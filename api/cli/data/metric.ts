import { InvalidArgumentError, Option, type Command } from 'commander';
import { isDate } from '#lib/core/date.ts';
import { Refusal } from '#lib/core/refusal.ts';
import { defineMetric } from '#lib/data/define-metric.command.ts';
import { definedMetricSeries, listMetrics } from '#lib/data/metric.query.ts';
import { metricKinds, metricUnits, type MetricDefinition } from '#lib/data/metric.ts';
import type { MetricKind, MetricUnit } from '#lib/data/metric.ts';
import { checkText } from '../shell/options.ts';
import { print, printRows, type OutputOptions } from '../shell/output.ts';
import { askIn } from '../shell/ask.ts';
import { inWorkspaceOf } from '../shell/place.ts';
import { governNamed } from '../shell/govern.ts';

type ListOptions = OutputOptions & { workspace: string };

type DefineOptions = ListOptions & {
  unit: MetricUnit;
  kind: MetricKind;
  signed?: true;
  description: string;
  as?: string;
};

type SeriesOptions = ListOptions & { company?: number; asOf?: string };

export function register(program: Command): void {
  const group = program.command('metric');
  inWorkspaceOf(
    group.command('define <name>'),
    'define a metric of the workspace; a definition never changes',
  )
    .addOption(
      new Option('--unit <unit>', 'the unit of the values').choices(metricUnits).makeOptionMandatory(),
    )
    .addOption(
      new Option(
        '--kind <kind>',
        'whether the metric is a flow over a period or a level at the end of the period',
      )
        .choices(metricKinds)
        .makeOptionMandatory(),
    )
    .option('--signed', 'declare that values below 0 are meaningful')
    .requiredOption('--description <text>', 'the meaning of the metric')
    .option('--as <person>', 'the person who makes the change (default: the owner of the workspace)')
    .action(define);
  inWorkspaceOf(group.command('list'), 'list the metrics of the catalogue and of the workspace').action(list);
  inWorkspaceOf(
    group.command('series <name>'),
    'show the values of a metric that were known by the end of a day',
  )
    .option('--company <id>', 'the company_id; omit it for economics.* and ledger.*', companyId)
    .option('--as-of <date>', 'use only values known by the end of this day (default: all values)')
    .action(series);
}

async function define(name: string, options: DefineOptions): Promise<void> {
  const { workspace, unit, kind, signed: isSigned = false } = options;
  const description = checkText('--description', options.description);
  const input = { workspace, name, unit, kind, isSigned, description };
  const { result } = await governNamed(defineMetric, input, options);
  print(row(result), options);
}

async function list(options: ListOptions): Promise<void> {
  const found = await askIn(options, listMetrics);
  printRows(found, options, ({ origin, ...metric }) => {
    const { description, ...shown } = row(metric);
    return { ...shown, origin, description };
  });
}

function row({ name, unit, kind, isSigned, description }: MetricDefinition) {
  return { name, unit, kind, signed: isSigned, description };
}

async function series(metric: string, options: SeriesOptions): Promise<void> {
  const { company = null, asOf } = options;
  if (asOf !== undefined && !isDate(asOf)) {
    throw new Refusal('invalid_date', '--as-of takes a date such as 2026-11-30');
  }
  const found = await askIn(options, definedMetricSeries, { company, metric, asOf });
  if (!found) {
    throw new Refusal('metric_unknown', `${metric} is in neither the catalogue nor the workspace`);
  }
  printRows(
    found.flatMap(({ frequency, observations }) =>
      observations.map(({ period, value, currency, knownAt }) => ({
        frequency,
        period,
        value,
        currency,
        known_at: knownAt,
      })),
    ),
    options,
  );
}

function companyId(text: string): number {
  const id = Number(text);
  if (!Number.isSafeInteger(id) || id < 1) throw new InvalidArgumentError('takes an integer above 0');
  return id;
}
