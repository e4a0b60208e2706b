import { invalid, Problem, type Fault } from '#lib/core/problem.ts';
import { holidayCalendars, type HolidayCalendar } from './calendar/holidays.ts';
import type { Em } from '#lib/database/base.ts';
import { checkMetric, presentKnowledge, type MetricFault } from './forecast-request.query.ts';
import { horizonRefusal } from './forecast-refusal.ts';
import { DEFAULT_LEVELS, HORIZON_MAX } from './engine/limits.ts';
import { COMBINATION } from './engine/method-catalogue.ts';
import type { ForecastInput, forecastOptions, ForecastRunRequest } from './forecasts.schema.ts';
import { metricSource } from './series/metric-name.ts';

/** The query parameters of a forecast. */
export type ForecastQuery = Pick<ForecastRunRequest, keyof typeof forecastOptions>;

/**
 * Returns the input of the run: the request with every default filled in, and the data that the run may use. Throws a
 * problem if the metric cannot be forecast.
 */
export async function forecastInput(em: Em, body: ForecastRunRequest, now: Date) {
  const company = body.company_id ?? null;
  const options = forecastOptionsOf(body);
  if (body.horizon < 1 || body.horizon > HORIZON_MAX) {
    const { code, detail, members } = horizonRefusal(body.horizon, HORIZON_MAX);
    throw new Problem(code, detail, { members });
  }
  const checked = await checkMetric(em, body.metric, company);
  if (!checked.ok) throw metricProblem(checked.fault);
  const ofLedger = metricSource(body.metric).kind === 'ledger';
  const { at, revisions } = await presentKnowledge(em, { now, ofLedger });
  const input: ForecastInput = {
    metric: body.metric,
    company_id: company,
    horizon: body.horizon,
    reason: body.reason ?? null,
    as_of: at.toISOString(),
    ...options,
    non_negative: options.non_negative ?? !checked.metric.isSigned,
  };
  return { input, datasetRevisions: revisions };
}

/**
 * Returns the options with their defaults. `non_negative` has no default here, because its default depends on the
 * metric.
 */
export function forecastOptionsOf({
  method,
  levels,
  non_negative,
  calendar,
  holidays,
  frequency,
}: ForecastQuery) {
  return {
    method: method ?? COMBINATION,
    levels: levels === undefined ? [...DEFAULT_LEVELS] : levelsOf(levels),
    non_negative,
    calendar: calendar ?? null,
    ...(holidays !== undefined && { holidays: holidayCalendarsOf(holidays) }),
    frequency: frequency ?? null,
  };
}

/** Returns the calendars of a list, each once, in the order of `holidayCalendars`. */
function holidayCalendarsOf(text: string): HolidayCalendar[] {
  const named = new Set(text.split(','));
  return holidayCalendars.filter((calendar) => named.has(calendar));
}

function levelsOf(text: string): number[] {
  const levels = [...new Set(text.split(',').map(Number))].sort((one, other) => one - other);
  if (levels[0] === 0) {
    throw invalid([{ pointer: '/levels', in: 'query', code: 'minimum', message: 'must be above 0' }]);
  }
  return levels;
}

/** Returns the problem of a metric that cannot be forecast, with a pointer to the faulty member. */
export function metricProblem({ code, detail }: MetricFault): Problem {
  const pointer = code === 'unknown_metric' ? '/metric' : '/company_id';
  const fault = { pointer, in: 'body', message: detail } as const;
  if (code === 'company_required') return invalid([{ ...fault, code: 'required' }]);
  if (code === 'company_not_applicable') return invalid([{ ...fault, code: 'not_applicable' }]);
  const errors: Fault[] = [{ ...fault, code }];
  return new Problem(code, detail, { errors });
}
