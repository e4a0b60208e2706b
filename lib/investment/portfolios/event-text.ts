import { parseDecimal } from '#lib/core/decimal.ts';
import type { EventType, PortfolioEvent } from './portfolio-event.ts';

/** Parses the lines of `eventText`. */
export function parseEventText(text: string): PortfolioEvent[] {
  return text === '' ? [] : text.split('\n').map(parseLine);
}

function parseLine(line: string): PortfolioEvent {
  const [
    portfolio,
    reference,
    type,
    tradedOn,
    settledOn,
    symbol,
    quantity,
    price,
    amountMinor,
    currency,
    feesMinor,
    lot,
    acquiredOn,
    basisMinor,
    knownAt,
  ] = line.split('\t') as FieldsOfLine;
  return {
    portfolio,
    reference,
    type: type as EventType,
    tradedOn,
    settledOn: settledOn || null,
    symbol: symbol || null,
    quantity: quantity === '' ? null : parseDecimal(quantity)!,
    price: price === '' ? null : parseDecimal(price)!,
    amountMinor: amountMinor === '' ? null : BigInt(amountMinor),
    currency,
    feesMinor: BigInt(feesMinor),
    lot: lot || null,
    acquiredOn: acquiredOn || null,
    basisMinor: basisMinor === '' ? null : BigInt(basisMinor),
    knownAt,
    withdrawn: false,
  };
}

type FieldsOfLine = [
  string,
  string,
  string,
  string,
  string,
  string,
  string,
  string,
  string,
  string,
  string,
  string,
  string,
  string,
  string,
];
