import { minorDigits } from '#lib/core/money.ts';
import { placesOf, type ColumnRules, type Columns } from '#lib/data/import/readers/columns.ts';
import { dateFault, symbolFault } from '#lib/data/import/readers/fields.ts';
import type { RowParser } from '#lib/data/import/readers/row-reader.ts';
import { readMinor, readShares } from './event-amounts.ts';
import type { KnownPortfolios } from './event-row.ts';

const portfolio = ['account', 'account_number', 'account_id', 'portfolio_uid'];
const days = ['as_of'];

/** The columns of a file of positions that a custodian reported. */
export const positionColumns = {
  required: ['portfolio', 'as_of', 'symbol', 'quantity'],
  ignored: [
    'name',
    'description',
    'price',
    'last_price',
    'market_value',
    'value',
    'cost_basis',
    'currency',
    'isin',
    'cusip',
  ],
  aliases: {
    portfolio,
    as_of: ['date', 'report_date', 'statement_date', 'position_date'],
    symbol: ['ticker', 'ticker_symbol', 'instrument'],
    quantity: ['qty', 'shares', 'units'],
  },
  stated: { portfolio: '--portfolio', as_of: '--as-of' },
  days,
} as const satisfies ColumnRules;

/** The columns of a file of cash balances that a custodian reported. */
export const cashColumns = {
  required: ['portfolio', 'as_of', 'currency', 'amount'],
  ignored: ['name', 'description'],
  aliases: {
    portfolio,
    as_of: ['date', 'report_date', 'statement_date'],
    currency: ['currency_code', 'ccy'],
    amount: ['balance', 'cash', 'cash_balance', 'ending_cash'],
  },
  stated: { portfolio: '--portfolio', as_of: '--as-of' },
  days,
} as const satisfies ColumnRules;

/** A position or a cash balance: `symbol` with `quantity`, or `currency` with `amountMinor`. */
export type TotalRow = {
  line: number;
  portfolioUid: string;
  portfolio: string;
  asOf: string;
  symbol: string | null;
  quantity: string | null;
  currency: string | null;
  amountMinor: string | null;
};

/**
 * Returns the key of the statement that a row belongs to. A statement is all positions, or all cash, of a portfolio on
 * a day.
 */
export function statementOf({ portfolio, asOf }: Pick<TotalRow, 'portfolio' | 'asOf'>): string {
  return `${portfolio} ${asOf}`;
}

type Parsing = {
  portfolios: KnownPortfolios;
  today: string;
  /** The number of faulty rows of each statement. The parser increases these numbers. */
  faulty: Map<string, number>;
};

/** Creates a parser for the rows of a file of positions or of cash balances. */
export function totalParser(
  kind: 'positions' | 'cash',
  columns: Columns,
  { portfolios, today, faulty }: Parsing,
): RowParser<TotalRow> {
  const names = kind === 'positions' ? positionColumns.required : cashColumns.required;
  const places = placesOf(columns, names);
  const seen = new Map<string, number>();
  return (fields, line, report) => {
    let isValid = true;
    const [key, asOf, subject, size] = places.map((at) => fields[at]?.trim() ?? '') as [
      string,
      string,
      string,
      string,
    ];
    const refuse = (at: 0 | 1 | 2 | 3, reason: string | undefined) => {
      if (reason === undefined) return;
      isValid = false;
      report(names[at], [key, asOf, subject, size][at]!, reason);
    };
    const known = portfolios.get(key);
    if (!known) refuse(0, 'does not exist; import it with `assay import portfolios`');
    refuse(1, dateFault(asOf, today));
    const scale = kind === 'cash' ? minorDigits(subject) : 0;
    if (scale === undefined) refuse(2, 'currency_unknown: is not an active ISO 4217 currency');
    if (kind === 'positions') refuse(2, symbolFault(subject));
    const read = kind === 'positions' ? readShares(size) : readMinor(size, scale ?? 0);
    if ('reason' in read) refuse(3, read.reason);
    else if (read.value === null) refuse(3, 'is empty');
    const first = seen.get(`${key} ${asOf} ${subject}`);
    if (first !== undefined) refuse(2, `repeats line ${first}`);
    else seen.set(`${key} ${asOf} ${subject}`, line);
    if (!isValid) {
      const statement = statementOf({ portfolio: key, asOf });
      if (dateFault(asOf, today) === undefined) faulty.set(statement, (faulty.get(statement) ?? 0) + 1);
      return undefined;
    }
    const value = 'value' in read ? String(read.value) : null;
    const total = { line, portfolioUid: known!.uid, portfolio: key, asOf };
    return kind === 'positions'
      ? { ...total, symbol: subject, quantity: value, currency: null, amountMinor: null }
      : { ...total, symbol: null, quantity: null, currency: subject, amountMinor: value };
  };
}
