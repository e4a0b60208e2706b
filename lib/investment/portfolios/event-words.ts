import { plainName } from '#lib/data/import/readers/aliases.ts';
import { eventTypes, type EventType } from './portfolio-event.ts';

/** The words that brokers use for an event, in the form of `plainName`. */
const words: Readonly<Record<EventType, readonly string[]>> = {
  buy: ['b', 'bot', 'bought', 'purchase', 'you_bought', 'market_buy', 'limit_buy'],
  sell: ['s', 'sld', 'sold', 'sale', 'you_sold', 'market_sell', 'limit_sell'],
  transfer_in: ['transfer_of_shares_in', 'transfer_received', 'acat_in', 'receive'],
  transfer_out: ['transfer_of_shares_out', 'transfer_sent', 'acat_out', 'deliver'],
  dividend: ['div', 'cash_dividend', 'qualified_dividend', 'ordinary_dividend', 'dividend_received', 'cdiv'],
  reinvest: ['reinvestment', 'reinvest_shares', 'dividend_reinvestment', 'drip'],
  interest: ['int', 'bank_interest', 'credit_interest', 'interest_income'],
  fee: ['fees', 'service_fee', 'adr_fee', 'adr_mgmt_fee', 'management_fee', 'custody_fee'],
  deposit: ['contribution', 'cash_in', 'ach_deposit', 'wire_received', 'electronic_funds_transfer_received'],
  withdraw: ['withdrawal', 'cash_out', 'ach_withdrawal', 'wire_sent', 'electronic_funds_transfer_paid'],
  return_of_capital: ['roc', 'capital_return'],
  split_override: [],
};

const types = new Map<string, EventType>(
  eventTypes.flatMap((type) => [type, ...words[type]].map((word) => [word, type] as const)),
);

/**
 * Returns the event type for a word that brokers use; undefined for an unknown word. Case and separators do
 * not matter.
 */
export function eventTypeOf(text: string): EventType | undefined {
  return types.get(plainName(text));
}
