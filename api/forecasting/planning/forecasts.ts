import Type from 'typebox';
import { Closed, IsoDate, ListOf, Nullable, pageQuery, Uid, waitQuery } from '#lib/core/schema.ts';
import { RunResource, RunSummary } from '#lib/pipeline/run.schema.ts';
import { forecastsRun } from '#lib/forecasting/forecasts.run.ts';
import { forecastCsv } from '#lib/forecasting/forecast-csv.ts';
import type { ForecastScoreRecord } from '#lib/forecasting/forecast-score.entity.ts';
import { findForecastScore, listScoredForecasts } from '#lib/forecasting/forecast.query.ts';
import { ForecastAccuracy } from '#lib/forecasting/forecast-score.schema.ts';
import {
  CompanyId,
  ForecastRequest,
  forecastOptions,
  MetricName,
  type ForecastOutput,
} from '#lib/forecasting/forecasts.schema.ts';
import { listReply } from '../../http/page.ts';
import { presentRun, presentSummary } from '../../runs.ts';
import { defineRunSubmission, runStateFilter } from '../../run-operations.ts';
import { defineFile, defineOperation } from '../../services.ts';

const CSV = 'text/csv';
const UNKNOWN = 'There is no such forecast.';

const accuracy = Nullable(ForecastAccuracy, 'How it came out; null while no value of its horizon is known.');
const AccuracyOfForecast = Closed(
  { uid: Uid(forecastsRun.prefix, 'The forecast.'), accuracy },
  { title: 'AccuracyOfForecast', description: 'How a forecast came out.' },
);
const ForecastSummary = Closed(
  { ...RunSummary(forecastsRun).properties, accuracy },
  { title: 'ForecastSummary', description: 'A forecast without its result.' },
);

export const createForecast = defineRunSubmission(forecastsRun, {
  key: 'planning.forecasts.create',
  product: 'Planning',
  summary: 'Forecasts a metric, and seals the forecast with the backtest that its methods were weighed by.',
  description:
    'Of what is known of the metric at the moment of submission. Every method is fitted at rolling origins of its own ' +
    'past; the result is their mean, weighed by what is known of series of this period and by their errors there. The ' +
    'weights, the backtest, the forms and parameters, and the forecast of each method are in the result.',
  query: Closed(forecastOptions),
  body: ForecastRequest,
  sealed: 'The forecast, sealed.',
});

export const listForecasts = defineOperation({
  key: 'planning.forecasts.list',
  product: 'Planning',
  method: 'GET',
  path: '/planning/forecasts',
  scope: 'planning:read',
  summary: 'Lists forecasts, newest first, without their results, and how they came out.',
  description:
    'Runs of the workspace in the environment of the credential, in any state. Values that come after a forecast was ' +
    'sealed are compared with it by the clock.',
  query: Closed({
    ...pageQuery,
    ...runStateFilter,
    metric: Type.Optional({ ...MetricName, description: 'Only forecasts of this metric.' }),
    company_id: Type.Optional({ ...CompanyId, description: 'Only forecasts of this company.' }),
    from: Type.Optional({ ...IsoDate, description: 'First day (UTC) of submission.' }),
    to: Type.Optional({ ...IsoDate, description: 'Last day (UTC) of submission.' }),
  }),
  success: { status: 200, description: 'A page of runs.', schema: ListOf(ForecastSummary) },
  problems: ['invalid_cursor'],
  async handle({ services, query }) {
    const { state, metric, company_id, from, to } = query;
    const summary = { ...(metric ? { metric } : {}), ...(company_id ? { company_id } : {}) };
    return listReply(services, query, {
      list: forecastsRun.resource,
      filters: {
        state: state ?? null,
        metric: metric ?? null,
        company_id: company_id ?? null,
        from: from ?? null,
        to: to ?? null,
      },
      rows: (em, page) => listScoredForecasts(em, { state, summary, submitted: { from, to }, ...page }),
      present: ({ run, score }) => ({
        ...presentSummary(forecastsRun, run),
        accuracy: score ? presentScore(score) : null,
      }),
    });
  },
});

export const getForecast = defineFile({
  key: 'planning.forecasts.get',
  product: 'Planning',
  method: 'GET',
  path: '/planning/forecasts/{uid}',
  scope: 'planning:read',
  addition: true,
  summary: 'Reads a forecast, and waits for its end on request; sealed ones also as CSV.',
  description:
    'A run that was refused after it was accepted reads 200 with the state `failed` and the problem that a waiting ' +
    'caller would have got. The form is that of `format`, else of `Accept`; CSV has a row for each period of the ' +
    'horizon, and there is none without a result.',
  query: Closed({
    ...waitQuery,
    include: Type.Optional(Type.Enum(['history'], { description: 'Adds the values that were read.' })),
    format: Type.Optional(
      Type.Enum(['json', 'csv'], { description: 'The form, before what `Accept` says.' }),
    ),
  }),
  success: {
    status: 200,
    description: 'The run, sealed once it has succeeded.',
    schema: RunResource(forecastsRun),
  },
  files: {
    [CSV]: {
      description: 'RFC 4180 with a header line: the period, the point, and the bounds of each level.',
      example: 'period,forecast,lower_95,upper_95\r\n2025-Q1,23667.2,23321.5,24012.8\r\n',
    },
  },
  problems: ['not_found', 'not_acceptable'],
  async handle({ services, caller, signal, params, query, accepts, fail }) {
    const form = query.format
      ? { json: 'application/json', csv: CSV }[query.format]
      : accepts(['application/json', CSV]);
    if (!form) fail('not_acceptable', `The forecast can be had as application/json, ${CSV}.`);
    const include = query.include ? [query.include] : [];
    const waitMs = (query.wait ?? 0) * 1_000;
    const found = await services.runs.wait({ caller, signal }, params.uid, waitMs, include);
    if (found?.run.kind !== forecastsRun.key) fail('not_found', UNKNOWN);
    if (form !== CSV) return { status: 200, headers: { Vary: 'Accept' }, body: presentRun(found!) };
    const members = found!.result?.members ?? fail('not_found', 'The forecast has no result.');
    const file = Buffer.from(forecastCsv(members['result'] as ForecastOutput));
    return { file, type: CSV, name: `${params.uid}.csv` };
  },
});

export const getForecastAccuracy = defineOperation({
  key: 'planning.forecasts.accuracy.get',
  product: 'Planning',
  method: 'GET',
  path: '/planning/forecasts/accuracy/{uid}',
  scope: 'planning:read',
  addition: true,
  summary: 'Tells how a forecast came out, by the values that are known since.',
  description: 'By the clock, as values come; the forecast itself never changes.',
  success: {
    status: 200,
    description: 'The errors, and how often the intervals held.',
    schema: AccuracyOfForecast,
  },
  problems: ['not_found'],
  async handle({ services, params: { uid }, fail }) {
    const score = await services.query(findForecastScore, uid);
    if (score === undefined) fail('not_found', UNKNOWN);
    return { status: 200, body: { uid, accuracy: score ? presentScore(score) : null } };
  },
});

function presentScore({ score, scoredAt }: ForecastScoreRecord) {
  const { periods, of, lastPeriod, mae, smape, mase, coverage } = score;
  return {
    periods,
    of,
    last_period: lastPeriod,
    mae,
    smape,
    mase,
    coverage,
    scored_at: scoredAt.toISOString(),
  };
}
