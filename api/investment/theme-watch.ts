import Type from 'typebox';
import { IsoDate } from '#lib/core/schema.ts';
import { themeFactorsRun } from '#lib/investment/theme-factors/theme-factors.run.ts';
import { ThemeFactorsRequestBody } from '#lib/investment/theme-factors/theme-factors.request.ts';
import { defineRunList, defineRunRead, defineRunSubmission } from '../run-operations.ts';

export const createThemeFactorRun = defineRunSubmission(themeFactorsRun, {
  key: 'investment.theme_watch.factors.create',
  product: 'Investment analytics',
  summary: 'Runs the theme factor model on observed monthly history and seals the result.',
  description:
    'Applies the cross-sectional ridge model svc_theme_factor_ridge_v1 to the latest taxonomy published by the as-of date. ' +
    'The run writes no market data, and never rebalances or trades.',
  body: ThemeFactorsRequestBody,
  bodyOptional: true,
  sealed: 'The sealed run.',
});

export const listThemeFactorRuns = defineRunList(themeFactorsRun, {
  key: 'investment.theme_watch.factors.list',
  product: 'Investment analytics',
  scope: 'investment:read',
  summary: 'Lists theme factor runs, newest first, without their results.',
  filters: {
    as_of_date: Type.Optional({ ...IsoDate, description: 'Returns only runs with this as-of date.' }),
  },
});

export const getThemeFactorRun = defineRunRead(themeFactorsRun, {
  key: 'investment.theme_watch.factors.get',
  product: 'Investment analytics',
  scope: 'investment:read',
  summary: 'Returns a theme factor run, and optionally waits until it ends.',
  description:
    'If a run fails after it was accepted, the answer is 200 with the state `failed` and the problem that a waiting caller would have received. The result is present once the run has succeeded.',
  noun: 'theme factor run',
  include: { name: 'specific_returns', description: 'Adds the monthly residual of each symbol.' },
});
