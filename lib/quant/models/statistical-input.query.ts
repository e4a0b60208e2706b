import { invalid, type Fault } from '#lib/core/problem.ts';
import type { Em } from '#lib/database/base.ts';
import { readPeriod, type PeriodFrequency } from '#lib/data/period.ts';
import { forecastInput } from '#lib/forecasting/forecast-input.query.ts';
import { DEFAULT_LEVELS } from '#lib/forecasting/engine/limits.ts';
import { underModelInput } from './statistical-pointer.ts';
import type { StatisticalModelInput, StatisticalRunInput } from './statistical-runs.schema.ts';

/** The last year in which a series can begin, so that its last period has a year of four digits. */
const START_YEAR_MAX = 2_999;

/**
 * Returns the input of a run: the request with every default filled in, and the data that the run may use. Throws a
 * problem if the series cannot be forecast.
 */
export async function statisticalInput(
  em: Em,
  method: string,
  { series, horizon, levels, non_negative, calendar }: StatisticalModelInput,
  now: Date,
): Promise<{ input: StatisticalRunInput; datasetRevisions?: Record<string, number> }> {
  const faults = seriesFaults(series);
  if (faults.length > 0) throw invalid(faults);
  const { metric, company_id, frequency, values, start } = series;
  if (metric === undefined) {
    const given: StatisticalRunInput = {
      model_key: method,
      metric: null,
      company_id: null,
      series: { start: start!, values: values! },
      frequency: frequency!,
      as_of: null,
      horizon,
      levels: [...new Set(levels ?? DEFAULT_LEVELS)].sort((one, other) => one - other),
      non_negative: non_negative ?? false,
      calendar: calendar ?? null,
    };
    return { input: given };
  }
  const request = {
    metric,
    horizon,
    method,
    ...(company_id !== undefined && { company_id }),
    ...(frequency !== undefined && { frequency }),
    ...(levels !== undefined && { levels: levels.join(',') }),
    ...(non_negative !== undefined && { non_negative }),
    ...(calendar !== undefined && { calendar }),
  };
  const { input, datasetRevisions } = await underModelInput(() => forecastInput(em, request, now));
  const { reason: _, method: model_key, ...rest } = input;
  return { input: { model_key, series: null, ...rest }, datasetRevisions };
}

/** Returns the faults of a series that is neither a metric nor a list of values. */
function seriesFaults(series: StatisticalModelInput['series']): Fault[] {
  const faults: Fault[] = [];
  const add = (member: string, code: string, message: string) =>
    faults.push({ pointer: `/input/series/${member}`, in: 'body', code, message });
  const { metric, values, start, frequency } = series;
  if (metric === undefined && values === undefined)
    add(
      'metric',
      'required',
      'is required without values; send a metric, or values with start and frequency',
    );
  if (metric !== undefined) {
    if (values !== undefined) add('values', 'excluded', 'cannot be combined with a metric');
    if (start !== undefined) add('start', 'excluded', 'cannot be combined with a metric');
  }
  if (metric !== undefined || values === undefined) return faults;
  if (series.company_id !== undefined) add('company_id', 'excluded', 'can be sent only with a metric');
  if (frequency === undefined) add('frequency', 'required', 'is required with values');
  if (start === undefined) add('start', 'required', 'is required with values');
  else if (frequency !== undefined && !isStart(start, frequency))
    add('start', 'period', `must be a ${frequency} period of the years 1 to ${START_YEAR_MAX}`);
  if (values.every((value) => value === null))
    add('values', 'required', 'must contain a value that is not null');
  return faults;
}

function isStart(text: string, frequency: PeriodFrequency): boolean {
  const period = readPeriod(text);
  return period?.frequency === frequency && Number(text.slice(0, 4)) <= START_YEAR_MAX;
}
