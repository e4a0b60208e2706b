import Type, { type Static } from 'typebox';
import type { Fault } from '#lib/core/problem.ts';
import { Closed, IsoDate } from '#lib/core/schema.ts';
import { FREQUENCIES, type Frequency, RISK_LIMITS } from './risk-limits.ts';

export const riskParts = ['components', 'backtest', 'liquidity', 'factors'] as const;
export type RiskPart = (typeof riskParts)[number];
export const riskBases = ['current_holdings', 'realised'] as const;

export const WINDOW_MIN = 20;
const LEVELS_MAX = 4;

export const SymbolKey = Type.String({
  pattern: '^[^\\s,]{1,64}$',
  description: 'Symbol of an instrument in the market data.',
  examples: ['AAPL'],
});

export const PortfolioName = Type.String({
  pattern: '^[A-Za-z0-9][A-Za-z0-9_.:-]{0,63}$',
  description: 'Uid or key of the portfolio.',
  examples: ['growth'],
});
const FrequencyName = Type.Enum(Object.keys(FREQUENCIES) as Frequency[], {
  default: 'daily',
  description: 'Period of a return: a trading session, or a completed calendar month.',
});
const Window = Type.Integer({
  minimum: WINDOW_MIN,
  maximum: RISK_LIMITS.days,
  description: `Number of returns that the figures are computed from. Default: ${FREQUENCIES.daily.window} daily or ${FREQUENCIES.monthly.window} monthly returns.`,
  examples: [60],
});
const Benchmark = {
  ...SymbolKey,
  description:
    'Symbol that the portfolio is compared with. The key of a portfolio is refused. Default: the benchmark of the portfolio, if that is a symbol with prices.',
};
const Currency = Type.String({
  pattern: '^[A-Z]{3}$',
  description:
    'Currency that the portfolio is narrowed to, as its ISO 4217 code. Amounts are never converted. Default: no narrowing.',
  examples: ['USD'],
});
const AsOf = {
  ...IsoDate,
  description:
    'Date of the positions and of the last price. Only data known by the end of this day (UTC) counts. Default: today (UTC).',
};

/** Query of GET /investment/risk. Lists are texts with commas. */
export const RiskQuery = Closed(
  {
    portfolio: Type.Optional({
      ...PortfolioName,
      description: 'Uid or key of the portfolio. Default: one summary row for each portfolio.',
    }),
    as_of: Type.Optional(AsOf),
    frequency: Type.Optional(FrequencyName),
    window: Type.Optional(Window),
    level: Type.Optional(
      Type.String({
        pattern: `^0?\\.[0-9]{1,4}(,0?\\.[0-9]{1,4}){0,${LEVELS_MAX - 1}}$`,
        default: '.95,.99',
        description:
          'Confidence levels of the tail measures, from .5 to .9999, separated by commas; at most four.',
        examples: ['.95,.99'],
      }),
    ),
    benchmark: Type.Optional(Benchmark),
    currency: Type.Optional(Currency),
    include: Type.Optional(
      Type.String({
        pattern: `^(${riskParts.join('|')})(,(${riskParts.join('|')})){0,3}$`,
        description: `Parts to add, separated by commas: ${riskParts.join(', ')}. Rows of portfolios have none. Default: none.`,
        examples: ['components,backtest'],
      }),
    ),
  },
  { title: 'RiskQuery', description: 'The portfolio, the window and the parts of its risk.' },
);
export type RiskQuery = Static<typeof RiskQuery>;

/** Body of POST /investment/risk-reports: the query of GET /investment/risk, with lists instead of texts. */
export const RiskReportRequestBody = Closed(
  {
    portfolio: PortfolioName,
    as_of: Type.Optional(AsOf),
    frequency: Type.Optional(FrequencyName),
    window: Type.Optional(Window),
    levels: Type.Optional(
      Type.Array(Type.Number({ minimum: 0.5, maximum: 0.9999, examples: [0.95] }), {
        minItems: 1,
        maxItems: LEVELS_MAX,
        uniqueItems: true,
        default: [0.95, 0.99],
        description: 'Confidence levels of the tail measures.',
        examples: [[0.95, 0.99]],
      }),
    ),
    benchmark: Type.Optional(Benchmark),
    currency: Type.Optional(Currency),
    include: Type.Optional(
      Type.Array(Type.Enum([...riskParts]), {
        maxItems: riskParts.length,
        uniqueItems: true,
        default: [],
        description: 'Parts to add. Default: none.',
        examples: [['components', 'factors']],
      }),
    ),
  },
  { title: 'RiskReportRequest', description: 'A portfolio, the window and the parts of its risk.' },
);
export type RiskReportRequestBody = Static<typeof RiskReportRequestBody>;

/** The query with every default filled in, apart from the portfolio, the date and the benchmark. */
export type RiskOptions = {
  frequency: Frequency;
  window: number;
  /** Ascending, without repetitions. */
  levels: readonly number[];
  basis: (typeof riskBases)[number];
  currency: string | null;
  include: readonly RiskPart[];
};

/** Fills in the defaults of a query. A level outside [.5, .9999] is a fault. */
export function riskOptions(
  query: RiskQuery,
): { ok: true; options: RiskOptions } | { ok: false; faults: Fault[] } {
  const frequency = query.frequency ?? 'daily';
  const levels = [...new Set((query.level ?? '.95,.99').split(',').map(Number))].sort(
    (one, other) => one - other,
  );
  if (levels.some((level) => !(level >= 0.5 && level <= 0.9999))) {
    const message = 'every level must be from .5 to .9999';
    return { ok: false, faults: [{ pointer: '/level', in: 'query', code: 'range', message }] };
  }
  const parts = (query.include ?? '').split(',');
  return {
    ok: true,
    options: {
      frequency,
      window: query.window ?? FREQUENCIES[frequency].window,
      levels,
      basis: 'current_holdings',
      currency: query.currency ?? null,
      include: riskParts.filter((part) => parts.includes(part)),
    },
  };
}
