import { amountOf } from './lot-ledger.ts';
import type { EventType, PortfolioEvent } from './portfolio-event.ts';

/** The sign of the gross amount in the cash of a portfolio. Fees always leave. */
const signs: Readonly<Record<EventType, -1n | 0n | 1n>> = {
  buy: -1n,
  sell: 1n,
  transfer_in: 0n,
  transfer_out: 0n,
  dividend: 1n,
  reinvest: 0n,
  interest: 1n,
  fee: -1n,
  deposit: 1n,
  withdraw: -1n,
  return_of_capital: 1n,
  split_override: 0n,
};

/** Sums the cash of a portfolio by currency, in minor units, from its events in force. Dated by trade date. */
export function cashOf(events: readonly PortfolioEvent[], portfolio: string): Map<string, bigint> {
  const cash = new Map<string, bigint>();
  for (const event of events) {
    if (event.portfolio !== portfolio) continue;
    const sign = signs[event.type];
    const amount = (sign === 0n ? 0n : sign * amountOf(event)) - event.feesMinor;
    cash.set(event.currency, (cash.get(event.currency) ?? 0n) + amount);
  }
  return cash;
}
