import Type, { type Static } from 'typebox';
import { Closed, IsoDate, Nullable, Sha256Of, Uid } from '#lib/core/schema.ts';
import { prefixes } from '#lib/core/prefix.ts';
import { PinnedBenchmark, pinnedPortfolio } from '../portfolios/pinned-portfolio.schema.ts';
import { FREQUENCIES, type Frequency, RISK_LIMITS } from './risk-limits.ts';
import { riskBases, type RiskOptions, riskParts, SymbolKey, WINDOW_MIN } from './risk-request.schema.ts';

export const RiskReportInput = Closed(
  {
    ...pinnedPortfolio,
    as_of: { ...IsoDate, description: 'Date of the positions and of the last price.' },
    basis: Type.Optional(
      Type.Enum([...riskBases], {
        description: 'The returns that the figures are computed from. Absent: `current_holdings`.',
      }),
    ),
    frequency: Type.Enum(Object.keys(FREQUENCIES) as Frequency[], { description: 'Period of a return.' }),
    window: Type.Integer({
      minimum: WINDOW_MIN,
      maximum: RISK_LIMITS.days,
      description: 'Number of returns that the figures are computed from.',
      examples: [60],
    }),
    levels: Type.Array(Type.Number({ minimum: 0.5, maximum: 0.9999 }), {
      minItems: 1,
      maxItems: 4,
      description: 'Confidence levels of the tail measures, ascending.',
      examples: [[0.95, 0.99]],
    }),
    benchmark: Nullable(
      SymbolKey,
      'Symbol of the benchmark. Null without a benchmark, and if the benchmark is a portfolio.',
    ),
    benchmark_portfolio: Type.Optional(PinnedBenchmark),
    currency: Nullable(
      Type.String({
        pattern: '^[A-Z]{3}$',
        description: 'Currency of the included positions and cash.',
        examples: ['USD'],
      }),
      'Currency of the included positions and cash. Null if all are included.',
    ),
    include: Type.Array(Type.Enum([...riskParts]), {
      maxItems: riskParts.length,
      description: 'Optional parts that were added.',
      examples: [['components']],
    }),
    factor_run: Nullable(
      Uid(
        prefixes.themeFactorRun,
        'The latest sealed theme factor run with an as-of date on or before `as_of`.',
      ),
      'The sealed theme factor run whose factors are used. Null if `factors` was not requested, or if there is no such run.',
    ),
  },
  {
    title: 'RiskReportInput',
    description: 'The request with every default filled in, and the pinned events.',
  },
);
export type RiskReportInput = Static<typeof RiskReportInput>;

/** Hashes of the data that the run read. */
export const RiskReportData = Closed(
  { content_sha256: Sha256Of('Hash of the positions, prices, volumes and options.') },
  { title: 'RiskReportData', description: 'Hash of the data that the run read.' },
);

/** Returns the options of the computation. */
export function optionsOf(input: RiskReportInput): RiskOptions {
  const { basis = 'current_holdings', frequency, window, levels, currency, include } = input;
  return { frequency, window, levels, basis, currency, include };
}
