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
const Basis = Type.Enum([...riskBases], {
  default: 'current_holdings',
  description:
    'The returns that the figures are computed from. `current_holdings`: past returns of the positions at their weights on `as_of`. `realised`: time-weighted returns of the portfolio as it was held, with its cash, after fees. Deposits, withdrawals and transfers of shares are external flows at the start of the day; a monthly return weights each flow by its share of the month. With `realised`, contributions of positions are null; concentration, liquidity and factors still describe the positions on `as_of`.',
});
const Benchmark = {
  ...SymbolKey,
  pattern: '^[^\\s,\\x00-\\x1f]{1,64}$',
  description:
    'Symbol of the benchmark, or the uid or key of another portfolio, whose realised returns are then the benchmark. A symbol with prices takes precedence. Default: the benchmark of the portfolio, if it is a symbol with prices or a portfolio.',
};
const Currency = Type.String({
  pattern: '^[A-Z]{3}$',
  description:
    'ISO 4217 code. Only positions and cash in this currency are included. Amounts are never converted. Default: all are included, and a portfolio in several currencies is refused.',
  examples: ['USD'],
});
const AsOf = {
  ...IsoDate,
  description:
    'Date of the positions and of the last price. Only data known by the end of this day (UTC) is used. Default: today (UTC).',
};

/** Query of GET /investment/risk. A list is one text whose items are separated by commas. */
export const RiskQuery = Closed(
  {
    portfolio: Type.Optional({
      ...PortfolioName,
      description: 'Uid or key of the portfolio. Default: one summary row for each portfolio.',
    }),
    as_of: Type.Optional(AsOf),
    basis: Type.Optional(Basis),
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
        description: `Optional parts to add, separated by commas: ${riskParts.join(', ')}. Ignored without \`portfolio\`. Default: none.`,
        examples: ['components,backtest'],
      }),
    ),
  },
  { title: 'RiskQuery', description: 'The portfolio, the window and the optional parts of the result.' },
);
export type RiskQuery = Static<typeof RiskQuery>;

/**
 * Body of POST /investment/risk-reports. It has the members of the query of GET /investment/risk, with arrays
 * instead of texts.
 */
export const RiskReportRequestBody = Closed(
  {
    portfolio: PortfolioName,
    as_of: Type.Optional(AsOf),
    basis: Type.Optional(Basis),
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
        description: 'Optional parts to add. Default: none.',
        examples: [['components', 'factors']],
      }),
    ),
  },
  {
    title: 'RiskReportRequest',
    description: 'The portfolio, the window and the optional parts of the result.',
  },
);
export type RiskReportRequestBody = Static<typeof RiskReportRequestBody>;

/**
 * The options of a query, with every default filled in. The portfolio, the date and the benchmark are not
 * included.
 */
export type RiskOptions = {
  frequency: Frequency;
  window: number;
  /** Confidence levels, ascending, without repetitions. */
  levels: readonly number[];
  basis: (typeof riskBases)[number];
  currency: string | null;
  include: readonly RiskPart[];
};

/** Fills in the defaults of a query. Returns a fault for a level outside [0.5, 0.9999]. */
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
      basis: query.basis ?? 'current_holdings',
      currency: query.currency ?? null,
      include: riskParts.filter((part) => parts.includes(part)),
    },
  };
}
