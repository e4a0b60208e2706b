import { formatDecimal } from '#lib/core/decimal.ts';
import { wireMinor } from '#lib/core/money.ts';
import { withinRange } from '../portfolios/amount-range.ts';
import type { LastClose } from '../portfolios/close.query.ts';
import type { PortfolioGroup } from '../portfolios/portfolio-group.ts';
import { valuedPositions, type PortfolioValue, type ValuedPosition } from '../portfolios/valued-positions.ts';

/**
 * Why a position has no weight. In order of precedence:
 *
 * - **no_price**: the position has no price from the last 7 days.
 * - **price_currency**: the closes of the position are in another currency than its lots.
 * - **currencies_mixed**: the portfolio has positions or cash in several currencies.
 * - **incomplete_value**: another position of the portfolio has no value.
 * - **no_value**: the value of the portfolio is not above 0.
 */
export const weightReasons = [
  'no_price',
  'price_currency',
  'currencies_mixed',
  'incomplete_value',
  'no_value',
] as const;
export type WeightReason = (typeof weightReasons)[number];

/** Portfolios that may hold a company, with all data from which their positions are derived. */
export type HoldersInput = {
  /** The symbols of the company, the current one first. */
  symbols: readonly string[];
  portfolios: readonly { uid: string; key: string; name: string }[];
  /**
   * The events of these portfolios only. Events of other portfolios are not needed: they can cause wash sales, which
   * change the basis of lots, but no quantity and no value.
   */
  group: PortfolioGroup;
  closes: readonly LastClose[];
  knownAt: string;
  ageDays: number;
};

export type Holder = {
  portfolio: string;
  portfolio_uid: string;
  name: string;
  symbol: string;
  quantity: string;
  currency: string;
  value_minor: number | null;
  weight: number | null;
  weight_reason: WeightReason | null;
};

export type Holders = {
  dataset: null;
  known_at: string;
  age_days: number;
  portfolios: Holder[];
  inconsistent: { portfolio: string; portfolio_uid: string; detail: string }[];
};

/**
 * Derives the positions in a company that portfolios hold at the end of the as-of day of the group. The weight of a
 * position is its value divided by the value of all positions and the cash of the portfolio, as a fraction. Portfolios
 * are ordered by key. A portfolio whose events contradict each other is named, and does not affect the others.
 */
export default function holders({ symbols, portfolios, group, closes, ...origin }: HoldersInput): Holders {
  const answer: Holders = {
    dataset: null,
    known_at: origin.knownAt,
    age_days: origin.ageDays,
    portfolios: [],
    inconsistent: [],
  };
  const eventsOf = linesByPortfolio(group.events);
  for (const { uid, key, name } of portfolios) {
    const own: PortfolioGroup = {
      ...group,
      portfolios: group.portfolios.filter(({ portfolio }) => portfolio === key),
      events: (eventsOf.get(key) ?? []).join('\n'),
    };
    const of = { portfolio: key, portfolio_uid: uid };
    const found = withinRange(() => {
      const value = valuedPositions(own, { keys: [key], closes }).get(key)!;
      return value.state === 'inconsistent'
        ? value
        : { state: 'consistent' as const, rows: symbols.flatMap((symbol) => rowOf(value, symbol)) };
    });
    if (found.state === 'inconsistent') answer.inconsistent.push({ ...of, detail: found.detail });
    else answer.portfolios.push(...found.rows.map((row) => ({ ...of, name, ...row })));
  }
  return answer;
}

type Consistent = Extract<PortfolioValue, { state: 'consistent' }>;
type HolderRow = Omit<Holder, 'portfolio' | 'portfolio_uid' | 'name'>;

function rowOf(held: Consistent, symbol: string): HolderRow[] {
  const position = held.positions.find((each) => each.symbol === symbol);
  if (!position || position.quantity === 0n) return [];
  const { currency, quantity, valueMinor } = position;
  const weight = weightOf(held, position);
  return [
    {
      symbol,
      quantity: formatDecimal(quantity),
      currency,
      value_minor: valueMinor === null ? null : wireMinor(valueMinor),
      weight: typeof weight === 'number' ? weight : null,
      weight_reason: typeof weight === 'number' ? null : weight,
    },
  ];
}

function weightOf(
  { positions, cash }: Consistent,
  { currency, valueMinor, otherCurrency }: ValuedPosition,
): number | WeightReason {
  if (otherCurrency !== null) return 'price_currency';
  if (valueMinor === null) return 'no_price';
  const amounts = [
    ...positions.map((each) => ({ currency: each.currency, amount: each.valueMinor })),
    ...cash.map((each) => ({ currency: each.currency, amount: each.amountMinor })),
  ].filter(({ amount }) => amount !== 0n);
  if (amounts.some((each) => each.currency !== currency)) return 'currencies_mixed';
  let total = 0n;
  for (const { amount } of amounts) {
    if (amount === null) return 'incomplete_value';
    total += amount;
  }
  return total > 0n ? wireMinor(valueMinor) / wireMinor(total) : 'no_value';
}

/** Returns the lines of an event text by portfolio. Each line begins with its portfolio. */
function linesByPortfolio(text: string): Map<string, string[]> {
  const lines = text === '' ? [] : text.split('\n');
  return Map.groupBy(lines, (line) => line.slice(0, line.indexOf('\t')));
}
