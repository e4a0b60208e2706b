import Type from 'typebox';
import { utcDate } from '#lib/core/clock.ts';
import { IsoDate } from '#lib/core/schema.ts';
import { themeFactorsRun } from '#lib/investment/theme-factors.run.ts';
import { themeFactorsSubmission } from '#lib/investment/theme-factors-submission.repository.ts';
import { ThemeFactorsRequestBody } from '#lib/investment/theme-factors.request.ts';
import { OpenRun, SealedRun } from '#lib/pipeline/run.schema.ts';
import { invalid } from '../derive/router.ts';
import { submissionProblems } from '../runs.ts';
import { defineRunList, defineRunRead } from '../run-operations.ts';
import { defineOperation } from '../services.ts';

const job = themeFactorsRun;

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

export const listThemeFactorRuns = defineRunList(job, {
  key: 'investment.theme_watch.factors.list',
  product: 'Investment analytics',
  scope: 'investment:read',
  summary: 'Lists theme factor runs, newest first, without their results.',
  filters: {
    as_of_date: Type.Optional(IsoDate),
  },
});

export const getThemeFactorRun = defineRunRead(job, {
  key: 'investment.theme_watch.factors.get',
  product: 'Investment analytics',
  scope: 'investment:read',
  summary: 'Reads a theme factor run, and waits for its end on request.',
  description:
    'A run that was refused after it was accepted reads 200 with the state `failed` and the problem that a waiting ' +
    'caller would have got. The result is there once the run has succeeded.',
  noun: 'theme factor run',
  include: { name: 'specific_returns', description: 'Adds the monthly residual of each symbol.' },
});
