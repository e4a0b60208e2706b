import Type from 'typebox';
import { Closed, IsoDate, ListOf, pageQuery, waitQuery } from '#lib/core/schema.ts';
import { listRuns } from '#lib/pipeline/run-record.repository.ts';
import { runStates } from '#lib/pipeline/run.ts';
import { OpenRun, RunResource, RunSummary, SealedRun } from '#lib/pipeline/run.schema.ts';
import { forecastsJob } from '#lib/planning/forecasts.job.ts';
import { CompanyId, ForecastRequest, forecastOptions, MetricName } from '#lib/planning/forecasts.schema.ts';
import { servingVersion } from '#lib/registry/model.repository.ts';
import { listReply } from '../../http/page.ts';
import { presentRun, presentSummary, submissionProblems } from '../../runs.ts';
import { defineOperation } from '../../services.ts';
import { tenantOf } from '../../tenant.ts';
import { forecastInput } from './forecast-input.ts';

const job = forecastsJob;

export const createForecast = defineOperation({
  key: 'planning.forecasts.create',
  product: 'Planning',
  method: 'POST',
  path: '/planning/forecasts',
  scope: 'planning:forecast:create',
  summary: 'Forecasts a metric, and seals the forecast with the backtest that its methods were weighed by.',
  description:
    'Of what is known of the metric at the moment of submission. Every method is fitted at rolling origins of its own ' +
    'past; the result is their mean, weighed by what is known of series of this period and by their errors there. The ' +
    'weights, the backtest, the forms and parameters, and the forecast of each method are in the result.',
  query: Closed(forecastOptions),
  body: ForecastRequest,
  success: { status: 201, description: 'The forecast, sealed.', schema: SealedRun(job) },
  accepted: OpenRun(job),
  problems: ['unknown_metric', 'unknown_company', ...job.problems, ...submissionProblems],
  async handle(call) {
    const { services, body, query, fail } = call;
    const submitted = await services.runs.submit(job, call, async (em) => ({
      modelVersion:
        (await servingVersion(em, job.model)) ??
        fail('model_not_approved', `${job.model} has no active version.`),
      ...(await forecastInput(em, body, query, services.clock.now())),
    }));
    return services.runs.answer(job, call, submitted);
  },
});

export const listForecasts = defineOperation({
  key: 'planning.forecasts.list',
  product: 'Planning',
  method: 'GET',
  path: '/planning/forecasts',
  scope: 'planning:read',
  summary: 'Lists forecasts, newest first, without their results.',
  description: 'Runs of the workspace in the environment of the credential, in any state.',
  query: Closed({
    ...pageQuery,
    state: Type.Optional(Type.Enum([...runStates], { description: 'Only runs in this state.' })),
    metric: Type.Optional({ ...MetricName, description: 'Only forecasts of this metric.' }),
    company_id: Type.Optional({ ...CompanyId, description: 'Only forecasts of this company.' }),
    from: Type.Optional({ ...IsoDate, description: 'First day (UTC) of submission.' }),
    to: Type.Optional({ ...IsoDate, description: 'Last day (UTC) of submission.' }),
  }),
  success: { status: 200, description: 'A page of runs.', schema: ListOf(RunSummary(job)) },
  problems: ['invalid_cursor'],
  async handle({ services, query }) {
    const { state, metric, company_id, from, to } = query;
    const input = { ...(metric ? { metric } : {}), ...(company_id ? { company_id } : {}) };
    return listReply(services, query, {
      list: job.resource,
      filters: {
        state: state ?? null,
        metric: metric ?? null,
        company_id: company_id ?? null,
        from: from ?? null,
        to: to ?? null,
      },
      rows: (em, page) => listRuns(em, { kind: job.key, state, input, submitted: { from, to }, ...page }),
      present: presentSummary,
    });
  },
});

export const getForecast = defineOperation({
  key: 'planning.forecasts.get',
  product: 'Planning',
  method: 'GET',
  path: '/planning/forecasts/{uid}',
  scope: 'planning:read',
  addition: true,
  summary: 'Reads a forecast, and waits for its end on request.',
  description:
    'A run that was refused after it was accepted reads 200 with the state `failed` and the problem that a waiting ' +
    'caller would have got.',
  query: Closed({
    ...waitQuery,
    include: Type.Optional(Type.Enum(['history'], { description: 'Adds the values that were read.' })),
  }),
  success: { status: 200, description: 'The run, sealed once it has succeeded.', schema: RunResource(job) },
  problems: ['not_found'],
  async handle({ services, caller, params, query, fail }) {
    const include = query.include ? [query.include] : [];
    const waitMs = (query.wait ?? 0) * 1_000;
    const found = await services.runs.wait(tenantOf(caller), params.uid, waitMs, include);
    if (found?.run.kind !== job.key) fail('not_found', 'There is no such forecast.');
    return { status: 200, body: presentRun(found!) };
  },
});
