import { minorDigits } from '#lib/core/money.ts';
import { placesOf, type ColumnRules, type Columns } from '#lib/data/import/readers/columns.ts';
import { dateFault, textFault } from '#lib/data/import/readers/fields.ts';
import type { RowParser } from '#lib/data/import/readers/row-reader.ts';
import { regimes, type Regime } from '../tax/regime.ts';
import { accountKinds, lotReliefs, type AccountKind, type LotRelief } from './portfolio-event.ts';

/** The columns of a file of portfolios. */
export const portfolioColumns = {
  required: ['portfolio', 'name', 'base_currency', 'opened_on'],
  optional: ['account_kind', 'lot_relief', 'tax_regime', 'tax_entity', 'wash_group', 'benchmark'],
  aliases: {
    portfolio: ['account', 'account_number', 'account_id', 'key', 'portfolio_uid'],
    name: ['account_name', 'portfolio_name'],
    base_currency: ['currency'],
    opened_on: ['opened', 'inception_date', 'inception', 'open_date'],
    lot_relief: ['cost_basis_method', 'relief_method'],
  },
  days: ['opened_on'],
} as const satisfies ColumnRules;

/** The terms of a portfolio as a file or a command states them. Null means the default. */
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
};

const KEY = /^[A-Za-z0-9][A-Za-z0-9_.:-]{0,63}$/;
export const KEY_RULE = 'must be 1 to 64 letters, digits and . _ : -, and begin with a letter or digit';

export const taxRegimes = Object.keys(regimes) as Regime['key'][];

const names = [...portfolioColumns.required, ...portfolioColumns.optional];
type Column = (typeof names)[number];

/** Creates a parser for the rows of a file of portfolios. */
export function portfolioParser(columns: Columns, today: string): RowParser<PortfolioRow> {
  const places = placesOf(columns, names);
  const at = new Map(names.map((name, index) => [name, places[index]!]));
  const firstLines = new Map<string, number>();
  return (fields, line, report) => {
    let isValid = true;
    const text = (name: Column) => fields[at.get(name)!]?.trim() ?? '';
    const refuse = (column: Column, reason: string | undefined) => {
      if (reason === undefined) return;
      isValid = false;
      report(column, text(column), reason);
    };
    const keyed = (column: Column) => {
      if (text(column) === '') return null;
      if (!KEY.test(text(column))) refuse(column, KEY_RULE);
      return text(column);
    };
    const key = text('portfolio');
    const firstLine = firstLines.get(key);
    if (!KEY.test(key)) refuse('portfolio', KEY_RULE);
    else if (firstLine !== undefined) refuse('portfolio', `repeats line ${firstLine}`);
    firstLines.set(key, firstLine ?? line);
    refuse('name', textFault(text('name')));
    if (minorDigits(text('base_currency')) === undefined)
      refuse('base_currency', 'currency_unknown: is not an active ISO 4217 currency');
    refuse('opened_on', dateFault(text('opened_on'), today));
    const accountKind = wordOf(accountKinds, text('account_kind') || 'taxable');
    if (!accountKind) refuse('account_kind', `is not one of ${accountKinds.join(', ')}`);
    const lotRelief = wordOf(lotReliefs, text('lot_relief') || 'fifo');
    if (!lotRelief) refuse('lot_relief', `is not one of ${lotReliefs.join(', ')}`);
    const taxRegime = wordOf(taxRegimes, text('tax_regime') || 'united_states');
    if (!taxRegime) refuse('tax_regime', `is not one of ${taxRegimes.join(', ')}`);
    const row = {
      line,
      key,
      name: text('name').normalize(),
      baseCurrency: text('base_currency'),
      taxEntity: keyed('tax_entity'),
      washGroup: keyed('wash_group'),
      benchmark: keyed('benchmark'),
      openedOn: text('opened_on'),
    };
    return isValid
      ? { ...row, accountKind: accountKind!, lotRelief: lotRelief!, taxRegime: taxRegime! }
      : undefined;
  };
}

function wordOf<Word extends string>(words: readonly Word[], text: string): Word | undefined {
  return words.find((word) => word === text.toLowerCase());
}
