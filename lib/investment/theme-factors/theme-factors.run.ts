import Type from 'typebox';
import { prefixes } from '#lib/core/prefix.ts';
import { defineRun } from '#lib/pipeline/define-run.ts';
import { Closed, Nullable, Sha256 } from '#lib/core/schema.ts';
import example from './theme-factors.example.json' with { type: 'json' };
import { ThemeFactorsRequest, ThemeFactorsRequestBody } from './theme-factors.request.ts';
import { ThemeFactorsResult, ThemeFactorsWarning } from './theme-factors.result.ts';
import { themeFactorsInput } from './theme-factors-input.query.ts';

export const themeFactorsRun = defineRun({
  key: 'investment.theme-factors',
  prefix: prefixes.themeFactorRun,
  queue: 'numerics',
  scope: 'investment:run',
  resource: '/investment/theme-watch/factors',
  model: 'svc_theme_factor_ridge_v1',
  request: ThemeFactorsRequestBody,
  input: ThemeFactorsRequest,
  summary: ['as_of_date', 'history_months'],
  output: Closed({
    input_data: Closed(
      { market_sha256: Sha256, taxonomy_sha256: Sha256 },
      { description: 'Hashes of the observations that the run read.' },
    ),
    exposure_mode: Type.Literal('static_as_of', {
      description:
        'One taxonomy version covers the whole window. The factors describe history and could not have been traded.',
    }),
    warnings: Type.Array(ThemeFactorsWarning, {
      maxItems: 1_000,
      description: 'Warnings about the result. They do not cause a refusal.',
    }),
    result: ThemeFactorsResult,
  }),
  headline: [
    { name: 'history_months', unit: 'months', pointer: '/input/history_months' },
    { name: 'last_month', unit: 'month', pointer: '/result/market_data/last_month' },
    { name: 'taxonomy_version', unit: 'version', pointer: '/result/taxonomy/version' },
  ],
  attachments: Closed({
    specific_returns: Type.Record(Type.String(), Type.Array(Nullable(Type.Number()), { maxItems: 240 }), {
      description:
        'Monthly residuals of each symbol, in the order of `result.months`. Null in a month without a return.',
    }),
  }),
  refusals: [],
  problems: [
    'taxonomy_unavailable',
    'taxonomy_exposure_insufficient',
    'market_history_insufficient',
    'not_identifiable',
  ],
  timeoutMs: 120_000,
  attempts: 20,
  example,
  resolve: (em, request, { now }) => themeFactorsInput(em, request, now),
});
