import { utcDate } from '#lib/core/clock.ts';
import { minorDigits } from '#lib/core/money.ts';
import { placesOf, type ColumnRules, type Columns } from '#lib/data/import/readers/columns.ts';
import { dateFault, textFault } from '#lib/data/import/readers/fields.ts';
import { readKnownAt } from '#lib/data/import/readers/instant.ts';
import type { RowParser } from '#lib/data/import/readers/row-reader.ts';
import { regimes, type Regime } from '../tax/regime.ts';
import { accountKinds, lotReliefs, type AccountKind, type LotRelief } from './portfolio-event.ts';

/** The columns of a file of portfolios. */
export const portfolioColumns = {
  required: ['portfolio', 'name', 'base_currency', 'opened_on'],
  optional: ['account_kind', 'lot_relief', 'tax_regime', 'tax_entity', 'wash_group', 'benchmark', 'known_at'],
  aliases: {
    portfolio: ['account', 'account_number', 'account_id', 'key', 'portfolio_uid'],
    name: ['account_name', 'portfolio_name'],
    base_currency: ['currency'],
    opened_on: ['opened', 'inception_date', 'inception', 'open_date'],
    lot_relief: ['cost_basis_method', 'relief_method'],
  },
  days: ['opened_on'],
} as const satisfies ColumnRules;

/** The terms of a portfolio as stated in a file or a command. Null means the default. */
export type PortfolioRow = {
  line: number;
  key: string;
  name: string;
  baseCurrency: string;
  accountKind: AccountKind;
  lotRelief: LotRelief;
  taxRegime: Regime['key'];
  taxEntity: string | null;
  washGroup: string | null;
  benchmark: string | null;
  openedOn: string;
  /** When the terms became known, as text that PostgreSQL reads; null if it is not stated. */
  knownAt: string | null;
};

const KEY = /^[A-Za-z0-9][A-Za-z0-9_.:-]{0,63}$/;
export const KEY_RULE = 'must be 1 to 64 letters, digits and . _ : -, and begin with a letter or digit';

export const taxRegimes = Object.keys(regimes) as Regime['key'][];

const names = [...portfolioColumns.required, ...portfolioColumns.optional];
type Column = (typeof names)[number];

/** Creates a parser for the rows of a file of portfolios. */
export function portfolioParser(columns: Columns, now: Date): RowParser<PortfolioRow> {
  const places = placesOf(columns, names);
  const at = new Map(names.map((name, index) => [name, places[index]!]));
  const firstLines = new Map<string, number>();
  return (fields, line, report) => {
    let isValid = true;
    const text = (name: Column) => fields[at.get(name)!];
    const refuse = (column: Column, reason: string) => {
      isValid = false;
      report(column, text(column) ?? '', reason);
    };
    const row = portfolioOf(text, { now, refuse });
    const firstLine = firstLines.get(row.key);
    if (firstLine !== undefined) refuse('portfolio', `repeats line ${firstLine}`);
    else firstLines.set(row.key, line);
    return isValid ? { ...row, line } : undefined;
  };
}

/**
 * Reads the terms of a portfolio from texts by column name. Calls `refuse` for every fault. If there is a
 * fault, the terms are not valid.
 */
export function portfolioOf(
  given: (column: Column) => string | undefined,
  { now, refuse: report }: { now: Date; refuse: (column: Column, reason: string) => void },
): PortfolioRow {
  const text = (column: Column) => given(column)?.trim() ?? '';
  const refuse = (column: Column, reason: string | undefined) => {
    if (reason !== undefined) report(column, reason);
  };
  const keyed = (column: Column) => {
    if (text(column) !== '' && !KEY.test(text(column))) refuse(column, KEY_RULE);
    return text(column) || null;
  };
  const wordIn = <Word extends string>(column: Column, words: readonly Word[], fallback: Word) => {
    const word = wordOf(words, text(column) || fallback);
    if (!word) refuse(column, `is not one of ${words.join(', ')}`);
    return word ?? fallback;
  };
  if (!KEY.test(text('portfolio'))) refuse('portfolio', KEY_RULE);
  refuse('name', textFault(text('name')));
  if (minorDigits(text('base_currency')) === undefined)
    refuse('base_currency', 'currency_unknown: is not an active ISO 4217 currency');
  if (text('benchmark') !== '' && text('benchmark') === text('portfolio'))
    refuse('benchmark', 'own_benchmark: is the portfolio itself');
  refuse('opened_on', dateFault(text('opened_on'), utcDate(now)));
  const knownAt = text('known_at') === '' ? null : readKnownAt(text('known_at'), now);
  if (typeof knownAt === 'string') refuse('known_at', knownAt);
  return {
    line: 1,
    key: text('portfolio'),
    name: text('name').normalize(),
    baseCurrency: text('base_currency'),
    accountKind: wordIn('account_kind', accountKinds, 'taxable'),
    lotRelief: wordIn('lot_relief', lotReliefs, 'fifo'),
    taxRegime: wordIn('tax_regime', taxRegimes, 'united_states'),
    taxEntity: keyed('tax_entity'),
    washGroup: keyed('wash_group'),
    benchmark: keyed('benchmark'),
    openedOn: text('opened_on'),
    knownAt: knownAt !== null && typeof knownAt === 'object' ? knownAt.text : null,
  };
}

function wordOf<Word extends string>(words: readonly Word[], text: string): Word | undefined {
  return words.find((word) => word === text.toLowerCase());
}
