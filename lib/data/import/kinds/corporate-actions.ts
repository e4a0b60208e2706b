import { isDate } from '#lib/core/date.ts';
import { actionTypes, isActionType } from '#lib/data/corporate-action.ts';
import { placesOf, type Columns } from '../readers/columns.ts';
import { decimalFault, symbolFault, textFault } from '../readers/fields.ts';
import { readKnownAt } from '../readers/instant.ts';
import {
  ABSENT,
  readWithdrawn,
  WITHDRAWN,
  type ImportTime,
  type ObservationKind,
  type StagedRow,
} from './observation-kind.ts';
import type { RowParser } from '../readers/row-reader.ts';

const VALUES = ['amount', 'ratio', 'basis'] as const;
const NUMBERS = ['amount', 'ratio'] as const;
const KEYS = ['symbol', 'ex_date', 'type', 'known_at', WITHDRAWN] as const;

/**
 * Dividends and splits, by ex-date. The ex-date of an announced action may be in the future. If a row does
 * not state when the action became known, the action is known from the import on.
 */
export const corporateActions: ObservationKind = {
  table: 'corporate_action',
  subject: 'symbol',
  keys: ['type'],
  columns: {
    required: ['symbol', 'ex_date', 'type'],
    optional: [...VALUES, 'known_at', WITHDRAWN],
  },
  values: VALUES,
  textValues: ['basis'],
  parser: actionParser,
};

/** Column positions in a line; negative if the column is missing. */
type Places = [number, number, number, number, number];

function actionParser(columns: Columns, { now }: ImportTime): RowParser<StagedRow> {
  const [symbolAt, exDateAt, typeAt, momentAt, withdrawnAt] = placesOf(columns, KEYS) as Places;
  const [amountAt, ratioAt, basisAt] = placesOf(columns, VALUES) as Places;
  let validSymbol: string | undefined;
  return (fields, line, report) => {
    let isValid = true;
    const refuse = (column: string, value: string, reason: string | undefined) => {
      if (reason === undefined) return;
      isValid = false;
      report(column, value, reason);
    };
    const textAt = (at: number) => (at < 0 ? '' : fields[at]!);
    const [symbol, exDate, type] = [textAt(symbolAt), textAt(exDateAt), textAt(typeAt)];
    const [moment, withdrawn] = [textAt(momentAt), textAt(withdrawnAt)];
    const [amount, ratio, basis] = [textAt(amountAt), textAt(ratioAt), textAt(basisAt)];
    if (symbol !== validSymbol) {
      const fault = symbolFault(symbol);
      if (fault === undefined) validSymbol = symbol;
      else refuse('symbol', symbol, fault);
    }
    refuse('ex_date', exDate, dayFault(exDate));
    if (!isActionType(type)) refuse('type', type, `is not one of ${actionTypes.join(', ')}`);
    const isWithdrawn =
      withdrawn !== '' && readWithdrawn(withdrawn, statedOf({ amount, ratio, basis }), refuse);
    if (!isWithdrawn) {
      const wanted = type === 'split' ? 'ratio' : 'amount';
      for (const name of NUMBERS) {
        const text = name === 'amount' ? amount : ratio;
        if (name === wanted) refuse(name, text, decimalFault(text, 'above zero'));
        else if (text !== '') refuse(name, text, `must be empty for a ${type}`);
      }
      if (basis !== '') refuse('basis', basis, textFault(basis));
    }
    const stated = moment === '' ? undefined : readKnownAt(moment, now);
    if (typeof stated === 'string') refuse('known_at', moment, stated);
    if (!isValid) return undefined;
    const values = `\t${copied(amount)}\t${copied(ratio)}\t${copied(basis)}`;
    const knownAt = (stated as { text: string } | undefined)?.text;
    return {
      line,
      subject: symbol,
      keys: `\t${type}`,
      observedOn: exDate,
      knownAt,
      isWithdrawn,
      values,
    };
  };
}

/** Checks an ex-date. An ex-date is required, because an action without an ex-date cannot be applied to prices. */
function dayFault(text: string): string | undefined {
  if (text === '') return 'is empty';
  return isDate(text) && text >= '0001-01-01' ? undefined : 'is not a calendar date YYYY-MM-DD';
}

function statedOf(values: Record<(typeof VALUES)[number], string>) {
  return VALUES.map((column) => ({ column, text: values[column] }));
}

/** Formats a value as COPY text. */
function copied(text: string): string {
  return text === '' ? ABSENT : text.trim().replaceAll('\\', '\\\\');
}
