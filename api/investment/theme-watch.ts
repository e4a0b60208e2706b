import Type from 'typebox';
import { utcDate } from '#lib/core/clock.ts';
import { IsoDate, ListOf, Closed, pageQuery, waitQuery } from '#lib/core/schema.ts';
import { themeFactorsJob } from '#lib/investment/theme-factors.job.ts';
import { themeFactorsSubmission } from '#lib/investment/theme-factors-submission.repository.ts';
import { ThemeFactorsRequestBody } from '#lib/investment/theme-factors.request.ts';
import { runStates } from '#lib/pipeline/run.ts';
import { OpenRun, RunResource, RunSummary, SealedRun } from '#lib/pipeline/run.schema.ts';
import { invalid } from '../derive/router.ts';
import { readRun, runsReply } from '../run-reads.ts';
import { presentRun, submissionProblems } from '../runs.ts';
import { defineOperation } from '../services.ts';

const job = themeFactorsJob;

export const createThemeFactorRun = defineOperation({
  key: 'investment.theme_watch.factors.create',
  product: 'Investment analytics',
  method: 'POST',
  path: '/investment/theme-watch/factors',
  scope: 'investment:run',
  summary: 'Runs the theme factor model on observed monthly history and seals the result.',
  description:
    'Cross-sectional ridge svc_theme_factor_ridge_v1 on the latest taxonomy published by the as-of date. ' +
    'It writes no market data, rebalances nothing and trades nothing.',
  body: ThemeFactorsRequestBody,
  bodyOptional: true,
  success: { status: 201, description: 'The run, sealed.', schema: SealedRun(job) },
  accepted: OpenRun(job),
  problems: [...job.problems, ...submissionProblems],
  async handle(call) {
    const { services } = call;
    const today = utcDate(services.clock.now());
    if (call.body.as_of_date !== undefined && call.body.as_of_date > today) {
      const message = `must not be after today, ${today}`;
      throw invalid([{ pointer: '/as_of_date', in: 'body', code: 'in_future', message }]);
    }
    const submitted = await services.runs.submit(job, call, (em) =>
      themeFactorsSubmission(em, call.body, services.clock.now()),
    );
    return services.runs.answer(job, call, submitted);
  },
});

export const listThemeFactorRuns = defineOperation({
  key: 'investment.theme_watch.factors.list',
  product: 'Investment analytics',
  method: 'GET',
  path: '/investment/theme-watch/factors',
  scope: 'investment:read',
  addition: true,
  summary: 'Lists theme factor runs, newest first, without their results.',
  description:
    'Runs of the workspace in the environment of the credential, in any state. Filters narrow the list.',
  query: Closed({
    ...pageQuery,
    state: Type.Optional(Type.Enum([...runStates], { description: 'Only runs in this state.' })),
    as_of_date: Type.Optional(IsoDate),
  }),
  success: { status: 200, description: 'A page of runs.', schema: ListOf(RunSummary(job)) },
  problems: ['invalid_cursor'],
  async handle({ services, query }) {
    const { as_of_date } = query;
    return runsReply(services, query, { job, input: { as_of_date } });
  },
});

export const getThemeFactorRun = defineOperation({
  key: 'investment.theme_watch.factors.get',
  product: 'Investment analytics',
  method: 'GET',
  path: '/investment/theme-watch/factors/{uid}',
  scope: 'investment:read',
  addition: true,
  summary: 'Reads a theme factor run, and waits for its end on request.',
  description:
    'A run that was refused after it was accepted reads 200 with the state `failed` and the problem that a waiting ' +
    'caller would have got. The result is there once the run has succeeded.',
  query: Closed({
    ...waitQuery,
    include: Type.Optional(
      Type.Enum(['specific_returns'], { description: 'Adds the monthly residual of each symbol.' }),
    ),
  }),
  success: { status: 200, description: 'The run, sealed once it has succeeded.', schema: RunResource(job) },
  problems: ['not_found'],
  async handle(call) {
    const found =
      (await readRun(call, [job.key])) ?? call.fail('not_found', 'There is no such theme factor run.');
    return { status: 200, body: presentRun(found) };
  },
});
