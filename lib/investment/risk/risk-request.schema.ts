import Type, { type Static } from 'typebox';
import type { Fault } from '#lib/core/problem.ts';
import { Closed, IsoDate } from '#lib/core/schema.ts';
import { FREQUENCIES, type Frequency, RISK_LIMITS } from './risk-limits.ts';

export const riskParts = ['components', 'backtest', 'liquidity', 'factors'] as const;
export type RiskPart = (typeof riskParts)[number];
export const riskBases = ['current_holdings', 'realised'] as const;

const WINDOW_MIN = 20;
const LEVELS_MAX = 4;

export const SymbolKey = Type.String({
  pattern: '^[^\\s,]{1,64}$',
  description: 'Symbol of an instrument in the market data.',
  examples: ['AAPL'],
});

/** Query of GET /investment/risk. Lists are texts with commas. */
export const RiskQuery = Closed(
  {
    portfolio: Type.Optional(
      Type.String({
        pattern: '^prt_[0-7][0-9A-HJKMNP-TV-Z]{25}$',
        description: 'The portfolio. Default: one summary row for each portfolio.',
        examples: ['prt_01K8XQ5W3ZJ6T9R2M4N7P0QABC'],
      }),
    ),
    as_of: Type.Optional({
      ...IsoDate,
      description: 'Date of the positions and of the last price. Default: today (UTC).',
    }),
    frequency: Type.Optional(
      Type.Enum(Object.keys(FREQUENCIES) as Frequency[], {
        default: 'daily',
        description: 'Period of a return: a trading session, or a calendar month.',
      }),
    ),
    window: Type.Optional(
      Type.Integer({
        minimum: WINDOW_MIN,
        maximum: RISK_LIMITS.days,
        description: `Number of returns that the figures are computed from. Default: ${FREQUENCIES.daily.window} daily or ${FREQUENCIES.monthly.window} monthly returns.`,
        examples: [252],
      }),
    ),
    level: Type.Optional(
      Type.String({
        pattern: `^0?\\.[0-9]{1,4}(,0?\\.[0-9]{1,4}){0,${LEVELS_MAX - 1}}$`,
        default: '.95,.99',
        description:
          'Confidence levels of the tail measures, from .5 to .9999, separated by commas; at most four.',
        examples: ['.95,.99'],
      }),
    ),
    benchmark: Type.Optional({
      ...SymbolKey,
      description:
        'Symbol that the portfolio is compared with. Default: the benchmark of the portfolio, if it has one.',
    }),
    basis: Type.Optional(
      Type.Enum([...riskBases], {
        default: 'current_holdings',
        description:
          '`current_holdings`: the weights of the as-of date on past returns. `realised`: the time-weighted returns of the portfolio as it was held.',
      }),
    ),
    currency: Type.Optional(
      Type.String({
        pattern: '^[A-Z]{3}$',
        description:
          'Currency that the portfolio is narrowed to, as its ISO 4217 code. Amounts are never converted.',
        examples: ['USD'],
      }),
    ),
    include: Type.Optional(
      Type.String({
        pattern: `^(${riskParts.join('|')})(,(${riskParts.join('|')})){0,3}$`,
        description: `Parts to add, separated by commas: ${riskParts.join(', ')}. Default: none.`,
        examples: ['components,backtest'],
      }),
    ),
  },
  { title: 'RiskQuery', description: 'The portfolio, the window and the parts of its risk.' },
);
export type RiskQuery = Static<typeof RiskQuery>;

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
      basis: query.basis ?? 'current_holdings',
      currency: query.currency ?? null,
      include: riskParts.filter((part) => parts.includes(part)),
    },
  };
}
