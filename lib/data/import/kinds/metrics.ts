import { sql } from 'kysely';
import { minorDigits } from '#lib/core/money.ts';
import type { Em } from '#lib/database/base.ts';
import { catalogued, isMetricName, isWorkspaceMetric, metricCatalogue, OF_WORKSPACE } from '../../metric.ts';
import { readPeriod } from '../../period.ts';
import { collectFaults } from '../load/collect-faults.ts';
import { placesOf, type Columns } from '../readers/columns.ts';
import { dateFault, decimalFault } from '../readers/fields.ts';
import type { Load, Loaded } from '../load/import-request.ts';
import { readKnownAt } from '../readers/instant.ts';
import { loadObservations } from '../load/load-observations.ts';
import {
  ABSENT,
  readWithdrawn,
  WITHDRAWN,
  type ImportTime,
  type ObservationKind,
  type StagedRow,
} from './observation-kind.ts';
import type { RowParser } from '../readers/row-reader.ts';
import { STAGING } from '../load/staging.ts';

const COMPANY = /^[1-9]\d{0,8}$/;
const COLUMNS = ['company_id', 'metric', 'period', 'value', 'currency', 'known_at', WITHDRAWN] as const;

/**
 * Metrics of companies, by period. The form of the period determines the frequency. The frequency is part of
 * the key, because a year and its last quarter end on the same day.
 */
export const metrics: ObservationKind = {
  table: 'company_metric',
  subject: 'company',
  keys: ['metric', 'frequency'],
  columns: {
    required: ['metric', 'period', 'value'],
    optional: ['company_id', 'currency', 'known_at', WITHDRAWN],
  },
  values: ['value', 'currency'],
  textValues: ['currency'],
  parser: metricParser,
};

/** Loads a file of metrics. Companies and metrics must be known to the workspace. */
export function loadMetrics(em: Em, load: Load): Promise<Loaded> {
  return loadObservations(em, load, metrics, async ({ faults }) => {
    const before = faults.total; // the number of faults that the parser found
    const staged = sql.table(STAGING);
    const names = metricCatalogue.map(({ name }) => name);
    const defined = sql`metric_definition d where d.workspace_uid = ${load.workspace} and d.name = s.metric`;
    await collectFaults(
      em,
      faults,
      sql`
        select line, 'company_id' as column, subject as value, 'does not exist in the workspace' as reason
        from ${staged} s
        where subject <> ${OF_WORKSPACE} and not exists (
          select from company c where c.workspace_uid = ${load.workspace} and c.id = s.subject::integer)
        union all
        select line, 'metric', metric, 'is neither in the catalogue nor defined by the workspace'
        from ${staged} s
        where subject <> ${OF_WORKSPACE} and metric <> all (${names}::text[]) and not exists (select from ${defined})
        union all
        select line, 'currency', coalesce(currency, ''),
          case when currency is null then 'is required, because the metric is a money amount' else 'must be empty, because the metric is not a money amount' end
        from ${staged} s
        where not withdrawn
          and exists (select from ${defined} and (d.unit = 'money') <> (s.currency is not null))
      `,
    );
    if (faults.total > before) throw faults.refusal();
    return {};
  });
}

function metricParser(columns: Columns, { now, today }: ImportTime): RowParser<StagedRow> {
  const places = placesOf(columns, COLUMNS);
  return (fields, line, report) => {
    let isValid = true;
    const [company, metric, period, value, currency, moment, withdrawn] = places.map((at) =>
      at < 0 ? '' : fields[at]!,
    ) as [string, string, string, string, string, string, string];
    const refuse = (column: string, text: string, reason: string | undefined) => {
      if (reason === undefined) return;
      isValid = false;
      report(column, text, reason);
    };
    refuse('company_id', company, companyFault(company, metric));
    const isKnownForm = isMetricName(metric) || isWorkspaceMetric(metric);
    refuse('metric', metric, isKnownForm ? undefined : 'is not a valid metric name');
    const read = readPeriod(period);
    if (read === undefined) {
      refuse('period', period, 'is not a period such as 2024, 2024-Q1, 2024-03, 2024-W05 or 2024-03-29');
    } else if (dateFault(read.lastDay, today) !== undefined) {
      refuse('period', period, `ends after today, ${today} (UTC)`);
    }
    const stated = [
      { column: 'value', text: value },
      { column: 'currency', text: currency },
    ];
    const isWithdrawn = readWithdrawn(withdrawn, stated, refuse);
    if (!isWithdrawn) {
      refuse('value', value, decimalFault(value.replace(/^-(?=\d)/, ''), 'zero'));
      refuse('currency', currency, currencyFault(currency, metric));
    }
    let knownAt: string | undefined;
    if (moment !== '') {
      const instant = readKnownAt(moment, now);
      if (typeof instant === 'string') refuse('known_at', moment, instant);
      else if (read && instant.date < read.lastDay) {
        refuse('known_at', moment, `is before the end of the period, ${read.lastDay}`);
      } else knownAt = instant.text;
    }
    if (!isValid || read === undefined) return undefined;
    return {
      line,
      subject: company === '' ? OF_WORKSPACE : company,
      keys: `\t${metric}\t${read.frequency}`,
      observedOn: read.lastDay,
      knownAt,
      isWithdrawn,
      values: isWithdrawn ? `\t${ABSENT}\t${ABSENT}` : `\t${value}\t${currency === '' ? ABSENT : currency}`,
    };
  };
}

function companyFault(company: string, metric: string): string | undefined {
  if (isWorkspaceMetric(metric))
    return company === '' ? undefined : 'must be empty for a metric of the workspace';
  if (company === '')
    return 'is required, except for metrics of the form economics.<series> and ledger.<flow>.<currency>';
  return COMPANY.test(company) ? undefined : 'is not a positive integer';
}

function currencyFault(currency: string, metric: string): string | undefined {
  if (currency !== '' && minorDigits(currency) === undefined) return 'is not an active ISO 4217 currency';
  const unit = catalogued(metric)?.unit;
  if (unit === 'money' && currency === '') return 'is required, because the metric is a money amount';
  if (unit !== undefined && unit !== 'money' && currency !== '')
    return 'must be empty, because the metric is not a money amount';
  const isOther = metric.startsWith('ledger.') && currency !== '' && !metric.endsWith(`.${currency}`);
  return isOther ? 'is not the currency in the name of the metric' : undefined;
}
