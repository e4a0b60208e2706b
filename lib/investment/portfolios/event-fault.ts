import { isDate } from '#lib/core/date.ts';
import { minorDigits } from '#lib/core/money.ts';
import { eventTypes, type EventType, type PortfolioEvent } from './portfolio-event.ts';

/** A fault of a single event. `field` is the faulty member. */
export type EventFault = {
  code:
    | 'type_unknown'
    | 'date_invalid'
    | 'future_trade'
    | 'currency_unknown'
    | 'symbol_missing'
    | 'quantity_sign'
    | 'price_sign'
    | 'amount_missing'
    | 'amount_sign'
    | 'fees_sign'
    | 'basis_missing';
  field: keyof PortfolioEvent;
};

type Needs = { symbol: boolean; quantity: boolean; amount: 'never' | 'required' | 'or_price' };

const needs: Readonly<Record<EventType, Needs>> = {
  buy: { symbol: true, quantity: true, amount: 'or_price' },
  sell: { symbol: true, quantity: true, amount: 'or_price' },
  reinvest: { symbol: true, quantity: true, amount: 'or_price' },
  transfer_in: { symbol: true, quantity: true, amount: 'never' },
  transfer_out: { symbol: true, quantity: true, amount: 'never' },
  split_override: { symbol: true, quantity: true, amount: 'never' },
  return_of_capital: { symbol: true, quantity: false, amount: 'required' },
  dividend: { symbol: false, quantity: false, amount: 'required' },
  interest: { symbol: false, quantity: false, amount: 'required' },
  fee: { symbol: false, quantity: false, amount: 'required' },
  deposit: { symbol: false, quantity: false, amount: 'required' },
  withdraw: { symbol: false, quantity: false, amount: 'required' },
};

/**
 * Returns the first fault of an event; undefined if there is no fault. Other events are not considered.
 * `today` is the latest valid trade date. The members of a withdrawn version are not checked.
 */
export function faultOfEvent(event: PortfolioEvent, { today }: { today: string }): EventFault | undefined {
  if (event.withdrawn) return undefined;
  if (!eventTypes.includes(event.type)) return { code: 'type_unknown', field: 'type' };
  if (!isDate(event.tradedOn)) return { code: 'date_invalid', field: 'tradedOn' };
  if (event.settledOn !== null && !isDate(event.settledOn))
    return { code: 'date_invalid', field: 'settledOn' };
  if (event.tradedOn > today) return { code: 'future_trade', field: 'tradedOn' };
  if (minorDigits(event.currency) === undefined) return { code: 'currency_unknown', field: 'currency' };
  return faultOfMembers(event) ?? (event.type === 'transfer_in' ? faultOfBasis(event) : undefined);
}

/**
 * Returns the first fault of the members that are needed to derive anything from the event. `faultOfEvent`
 * and a replay both use this check.
 */
export function faultOfMembers(event: PortfolioEvent): EventFault | undefined {
  const { quantity, price, amountMinor } = event;
  const { symbol, quantity: isCounted, amount } = needs[event.type];
  if (symbol && event.symbol === null) return { code: 'symbol_missing', field: 'symbol' };
  if (isCounted ? quantity === null || quantity <= 0n : quantity !== null && quantity < 0n)
    return { code: 'quantity_sign', field: 'quantity' };
  if (price !== null && (price < 0n || (price === 0n && event.type === 'split_override')))
    return { code: 'price_sign', field: 'price' };
  if (event.feesMinor < 0n) return { code: 'fees_sign', field: 'feesMinor' };
  if (amountMinor === null)
    return amount === 'required' || (amount === 'or_price' && price === null)
      ? { code: 'amount_missing', field: 'amountMinor' }
      : undefined;
  return amountMinor < 0n && event.type !== 'interest'
    ? { code: 'amount_sign', field: 'amountMinor' }
    : undefined;
}

/**
 * Returns the fault of the basis of a transferred lot. The lot must have the date and the basis of its
 * purchase, and this date must not be after the transfer.
 */
export function faultOfBasis({ acquiredOn, basisMinor, tradedOn }: PortfolioEvent): EventFault | undefined {
  if (acquiredOn === null) return { code: 'basis_missing', field: 'acquiredOn' };
  if (basisMinor === null) return { code: 'basis_missing', field: 'basisMinor' };
  if (!isDate(acquiredOn) || acquiredOn > tradedOn) return { code: 'date_invalid', field: 'acquiredOn' };
  return basisMinor < 0n ? { code: 'amount_sign', field: 'basisMinor' } : undefined;
}
