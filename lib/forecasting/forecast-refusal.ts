import type { Fault } from '#lib/core/problem.ts';
import type { ForecastRefusal } from './engine/forecast-series.types.ts';
import { observationsNeeded } from './engine/check-request.ts';
import { OBSERVATIONS_MIN } from './engine/limits.ts';
import type { ForecastInput } from './forecasts.schema.ts';
import type { MetricAnswer } from './series/metric-series.query.ts';

/** The problem codes that a forecast can end with. */
export const forecastProblems = [
  'insufficient_history',
  'horizon_out_of_bounds',
  'too_many_gaps',
  'non_finite_value',
  'method_not_applicable',
  'calendar_not_applicable',
  'frequency_unavailable',
  'currencies_mixed',
] as const;

export type RefusedForecast = {
  code: (typeof forecastProblems)[number];
  detail: string;
  /** The members of the problem. `errors` points to the faulty member of the request. */
  members: Record<string, unknown>;
};

/** Returns the refusal for a metric that could not be read as a series. */
export function answerRefusal(
  { metric, horizon, frequency }: ForecastInput,
  answer: Extract<MetricAnswer, { ok: false }>,
): RefusedForecast {
  if (answer.code === 'not_observed') {
    return tooShort({ observed: 0, needed: observationsNeeded(horizon) });
  }
  if (answer.code === 'currencies_mixed') {
    const detail = `${metric} has amounts in ${answer.currencies.join(', ')}. A series must have a single currency.`;
    return refused('currencies_mixed', detail, body('/metric'));
  }
  const available = answer.available.join(', ');
  const detail = `${metric} is observed ${available}. It cannot be converted to ${frequency} values.`;
  return refused('frequency_unavailable', detail, query('/frequency'));
}

/** Returns the refusal for a series that the engine does not forecast. */
export function engineRefusal(input: ForecastInput, refusal: ForecastRefusal): RefusedForecast {
  switch (refusal.code) {
    case 'insufficient_history':
      return tooShort(refusal);
    case 'horizon_out_of_bounds':
      return horizonRefusal(refusal.horizon, refusal.max);
    case 'too_many_gaps': {
      const { missing, periods, max } = refusal;
      const detail = `${missing} of the ${periods} periods have no value; at most ${max} can be missing.`;
      return refused('too_many_gaps', detail, body('/metric'), { observed: missing, needed: max });
    }
    case 'non_finite_value':
      return refused(
        'non_finite_value',
        `Value ${refusal.at + 1} of the series is not finite, or its absolute value is above 1e303.`,
        body('/metric'),
      );
    case 'method_not_applicable':
      return refused(
        'method_not_applicable',
        `The method ${refusal.method} does not support this series.`,
        query('/method'),
      );
    case 'calendar_not_applicable': {
      const detail =
        refusal.reason === 'not_monthly'
          ? 'Only monthly series can be adjusted for the number of business days in a month.'
          : `The calendar ${input.calendar} does not cover some of the months.`;
      return refused('calendar_not_applicable', detail, query('/calendar'));
    }
    case 'holidays_not_applicable': {
      const detail = 'Effects of holidays can only be estimated for daily series.';
      return refused('calendar_not_applicable', detail, query('/holidays'));
    }
    case 'history_too_long':
    case 'unknown_method':
    case 'level_out_of_bounds':
    case 'too_many_levels':
      throw new Error(`the forecast engine refused a request that passed validation: ${refusal.code}`);
  }
}

export function horizonRefusal(horizon: number, max: number): RefusedForecast {
  const detail = `The horizon is ${horizon}; it must be from 1 to ${max} periods.`;
  return refused('horizon_out_of_bounds', detail, body('/horizon'), { observed: horizon, needed: max });
}

function tooShort({ observed, needed }: { observed: number; needed: number }): RefusedForecast {
  const detail = `The series has ${observed} known values, but this horizon needs ${needed}.`;
  const about = observed >= OBSERVATIONS_MIN ? body('/horizon') : body('/metric');
  return refused('insufficient_history', detail, about, { observed, needed });
}

type Place = Pick<Fault, 'pointer' | 'in'>;

function body(pointer: string): Place {
  return { pointer, in: 'body' };
}

function query(pointer: string): Place {
  return { pointer, in: 'query' };
}

function refused(
  code: RefusedForecast['code'],
  detail: string,
  about: Place,
  members: Record<string, unknown> = {},
): RefusedForecast {
  const fault: Fault = { ...about, code, message: detail };
  return { code, detail, members: { ...members, errors: [fault] } };
}
