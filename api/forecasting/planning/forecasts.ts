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
const UNKNOWN = 'This forecast does not exist.';

const accuracy = Nullable(
  ForecastAccuracy,
  'Accuracy of the forecast; null while no value of its horizon is known.',
);
const AccuracyOfForecast = Closed(
  { uid: Uid(forecastsRun.prefix, 'The uid of the forecast.'), accuracy },
  { title: 'AccuracyOfForecast', description: 'Accuracy of a forecast.' },
);
const ForecastSummary = Closed(
  { ...RunSummary(forecastsRun).properties, accuracy },
  { title: 'ForecastSummary', description: 'A forecast without its result.' },
);

export const createForecast = defineRunSubmission(forecastsRun, {
  key: 'planning.forecasts.create',
  product: 'Planning',
  summary: 'Forecasts a metric, and seals the forecast together with its backtest.',
  description:
    'The forecast uses only values of the metric that are known when the request is submitted. In the backtest, every method is fitted at rolling origins in the past of the series. The forecast is the weighted mean of the methods. The weights combine prior weights for the frequency with the backtest errors on this series. The result contains the weights, the backtest, the fitted forms and parameters, and the forecast of each method.',
  query: Closed(forecastOptions),
  body: ForecastRequest,
  sealed: 'The sealed forecast.',
});

export const listForecasts = defineOperation({
  key: 'planning.forecasts.list',
  product: 'Planning',
  method: 'GET',
  path: '/planning/forecasts',
  scope: 'planning:read',
  summary: 'Lists forecasts, newest first, with their accuracy but without their results.',
  description:
    'Returns runs of the workspace in the environment of the credential, in any state. The accuracy is updated periodically from values that became known after the forecast was sealed.',
  query: Closed({
    ...pageQuery,
    ...runStateFilter,
    metric: Type.Optional({ ...MetricName, description: 'Returns only forecasts of this metric.' }),
    company_id: Type.Optional({ ...CompanyId, description: 'Returns only forecasts of this company.' }),
    from: Type.Optional({ ...IsoDate, description: 'First day of submission (UTC), inclusive.' }),
    to: Type.Optional({ ...IsoDate, description: 'Last day of submission (UTC), inclusive.' }),
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
  summary:
    'Returns a forecast, and optionally waits until the run ends. Sealed forecasts are also available as CSV.',
  description:
    'If a run fails after it was accepted, the answer is 200 with the state `failed` and the problem that a waiting caller would have received. The answer has the format named in `format`, or otherwise in `Accept`. CSV has one row for each period of ' +
    'the horizon. A run without a result has no CSV.',
  query: Closed({
    ...waitQuery,
    include: Type.Optional(
      Type.Enum(['history'], {
        description: 'Adds the metric values from which the forecast was computed.',
      }),
    ),
    format: Type.Optional(
      Type.Enum(['json', 'csv'], { description: 'Response format. Overrides `Accept`.' }),
    ),
  }),
  success: {
    status: 200,
    description: 'The run, sealed once it has succeeded.',
    schema: RunResource(forecastsRun),
  },
  files: {
    [CSV]: {
      description:
        'RFC 4180 with a header line. The columns are the period, the point forecast, and the bounds of each level.',
      example: 'period,forecast,lower_95,upper_95\r\n2025-Q1,23667.2,23321.5,24012.8\r\n',
    },
  },
  problems: ['not_found', 'not_acceptable'],
  async handle({ services, caller, signal, params, query, accepts, fail }) {
    const form = query.format
      ? { json: 'application/json', csv: CSV }[query.format]
      : accepts(['application/json', CSV]);
    if (!form) fail('not_acceptable', `The forecast is available as application/json and ${CSV}.`);
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
  summary: 'Returns the accuracy of a forecast against the values that have become known since.',
  description: 'Accuracy is updated periodically as values arrive. The forecast itself never changes.',
  success: {
    status: 200,
    description: 'The forecast errors, and the share of values inside each interval.',
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
