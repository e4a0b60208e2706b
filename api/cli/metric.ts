import { InvalidArgumentError, Option, type Command } from 'commander';
import { systemClock } from '#lib/core/clock.ts';
import { isDate } from '#lib/core/date.ts';
import { catalogued, isMetricName, metricCatalogue, metricKinds, metricUnits } from '#lib/data/metric.ts';
import type { MetricKind, MetricUnit } from '#lib/data/metric.ts';
import { OwnMetric } from '#lib/data/metric.entity.ts';
import { findMetric, metricSeriesAsOf } from '#lib/data/metric.repository.ts';
import { asOperator } from './operator.ts';
import { actingPerson, checkText, findWorkspace, withJson } from './options.ts';
import { print, printRows, type OutputOptions } from './output.ts';
import { record } from './record.ts';
import { Refusal } from '#lib/core/refusal.ts';

type DefineOptions = OutputOptions & {
  workspace: string;
  unit: MetricUnit;
  kind: MetricKind;
  signed?: true;
  description: string;
  as?: string;
};

type SeriesOptions = OutputOptions & { workspace: string; company?: number; asOf?: string };

export function register(program: Command): void {
  const group = program.command('metric').description('what companies report, period by period');
  withJson(group.command('define <name>'))
    .description("define a metric of the workspace's own; it never changes")
    .requiredOption('--workspace <uid>')
    .addOption(new Option('--unit <unit>').choices(metricUnits).makeOptionMandatory())
    .addOption(
      new Option('--kind <kind>', 'whether it adds up over a period or stands at its end')
        .choices(metricKinds)
        .makeOptionMandatory(),
    )
    .option('--signed', 'a value below 0 has a meaning')
    .requiredOption('--description <text>')
    .option('--as <person>', 'who does it (default: the owner of the workspace)')
    .action(async (name: string, options: DefineOptions) => {
      const { workspace, unit, kind, signed: isSigned = false } = options;
      const description = checkText('--description', options.description);
      if (!isMetricName(name)) {
        throw new Refusal('invalid_metric', 'a name has 1 to 64 small letters, digits and _, a letter first');
      }
      if (catalogued(name)) throw new Refusal('metric_exists', `the catalogue has ${name}`);
      await asOperator((operator) =>
        operator.inWorkspace(workspace, async (em) => {
          await findWorkspace(em, workspace);
          if (await em.findOne(OwnMetric, { name })) {
            throw new Refusal('metric_exists', `the workspace has a metric ${name}`);
          }
          const { uid: by } = await actingPerson(em, workspace, options.as);
          const definition = { name, unit, kind, isSigned, description };
          em.create(OwnMetric, {
            workspaceUid: workspace,
            ...definition,
            createdByUid: by,
            createdAt: systemClock.now(),
          });
          const subject = { type: 'metric', uid: name };
          await record(em, { op: 'metric.defined', workspace, by, subject, details: { unit, kind } });
        }),
      );
      print({ name, unit, kind, signed: isSigned, description }, options);
    });
  withJson(group.command('list'))
    .description("list the catalogue and the workspace's own")
    .requiredOption('--workspace <uid>')
    .action(async (options: OutputOptions & { workspace: string }) => {
      const own = await asOperator((operator) =>
        operator.inWorkspace(options.workspace, async (em) => {
          await findWorkspace(em, options.workspace);
          return em.find(OwnMetric, {}, { orderBy: { name: 'asc' } });
        }),
      );
      const row = (origin: string) => (metric: Omit<(typeof metricCatalogue)[number], never>) => ({
        name: metric.name,
        unit: metric.unit,
        kind: metric.kind,
        signed: metric.isSigned,
        origin,
        description: metric.description,
      });
      printRows([...metricCatalogue.map(row('catalogue')), ...own.map(row('workspace'))], options);
    });
  withJson(group.command('series <name>'))
    .description('what was known of a metric by the end of a day')
    .requiredOption('--workspace <uid>')
    .option('--company <id>', 'the company_id; none for economics.* and ledger.*', companyId)
    .option('--as-of <date>', 'the last day of knowledge that counts; default: all')
    .action(async (name: string, options: SeriesOptions) => {
      const { workspace, company = null, asOf } = options;
      if (asOf !== undefined && !isDate(asOf)) {
        throw new Refusal('invalid_date', '--as-of takes a date such as 2026-11-30');
      }
      const series = await asOperator((operator) =>
        operator.inWorkspace(workspace, async (em) => {
          await findWorkspace(em, workspace);
          if (!(await findMetric(em, name))) {
            throw new Refusal('metric_unknown', `${name} is neither of the catalogue nor of the workspace`);
          }
          return metricSeriesAsOf(em, { company, metric: name, asOf });
        }),
      );
      printRows(
        series.flatMap(({ frequency, observations }) =>
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
    });
}

function companyId(text: string): number {
  const id = Number(text);
  if (!Number.isSafeInteger(id) || id < 1) throw new InvalidArgumentError('it takes an integer above 0');
  return id;
}
