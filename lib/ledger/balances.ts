import { wireMinor } from '#lib/core/money.ts';
import type { Direction } from './transaction.ts';

/**
 * The sum of a group of transactions of one account. All transactions of the group have the same effect on the
 * balances. A group can consist of a single transaction.
 */
export type Movement = {
  accountUid: string;
  currency: string;
  amountScale: number;
  direction: Direction;
  /**
   * The state of the transactions on the day of the balances. `void`: the transactions were announced, and reversed
   * before they were posted.
   */
  state: 'posted' | 'pending' | 'void';
  /** Whether the source announced the transactions as pending before they were posted. */
  wasAnnounced: boolean;
  amountMinor: bigint;
  count: number;
  lastUid: string;
};

export type AccountBalance = {
  account_uid: string;
  currency: string;
  amount_scale: number;
  /** Posted credits minus posted debits, in minor units. */
  ledger_minor: number;
  /** The ledger balance minus pending debits. Null if the source never announces transactions. */
  available_minor: number | null;
};

/**
 * The content of a snapshot. The hash of the snapshot covers this content. Amounts are never converted between
 * currencies.
 */
export type SnapshotContent = {
  as_of: string;
  balances: AccountBalance[];
  by_currency: { currency: string; ledger_minor: number }[];
  fx: { applied: false };
  transactions: { count: number; last_uid: string | null };
};

/**
 * Computes the balances of accounts at the end of a day from the movements up to the end of that day. Accounts
 * are ordered by uid and currencies by code, so the same transactions give the same content. Throws a `RangeError` if a
 * balance exceeds the range of a JSON integer.
 *
 * Example: a posted credit of 500 and a pending debit of 200 give a ledger balance of 500, and an available balance of
 * 300.
 */
export function balancesOf(asOf: string, movements: readonly Movement[]): SnapshotContent {
  const accounts = new Map<string, Totals>();
  for (const movement of movements) {
    const { accountUid, currency, amountScale } = movement;
    const totals = accounts.get(accountUid) ?? { ...NOTHING, currency, amountScale };
    accounts.set(accountUid, add(totals, movement));
  }
  const sorted = [...accounts].sort(([one], [other]) => (one < other ? -1 : 1));
  const currencies = new Map<string, bigint>();
  for (const [, { currency, ledger }] of sorted) {
    currencies.set(currency, (currencies.get(currency) ?? 0n) + ledger);
  }
  return {
    as_of: asOf,
    balances: sorted.map(([uid, totals]) => ({
      account_uid: uid,
      currency: totals.currency,
      amount_scale: totals.amountScale,
      ledger_minor: wireMinor(totals.ledger),
      available_minor: totals.isAnnouncing ? wireMinor(totals.ledger - totals.pendingDebits) : null,
    })),
    by_currency: [...currencies]
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([currency, ledger]) => ({ currency, ledger_minor: wireMinor(ledger) })),
    fx: { applied: false },
    transactions: {
      count: movements.reduce((sum, { count }) => sum + count, 0),
      last_uid: movements.reduce<string | null>(
        (last, { lastUid }) => (last === null || lastUid > last ? lastUid : last),
        null,
      ),
    },
  };
}

type Totals = {
  currency: string;
  amountScale: number;
  ledger: bigint;
  pendingDebits: bigint;
  isAnnouncing: boolean;
};

const NOTHING = { ledger: 0n, pendingDebits: 0n, isAnnouncing: false };

function add(totals: Totals, { direction, state, wasAnnounced, amountMinor }: Movement): Totals {
  const signed = direction === 'credit' ? amountMinor : -amountMinor;
  const isAwaited = state === 'pending' && direction === 'debit';
  return {
    ...totals,
    ledger: state === 'posted' ? totals.ledger + signed : totals.ledger,
    pendingDebits: isAwaited ? totals.pendingDebits + amountMinor : totals.pendingDebits,
    isAnnouncing: totals.isAnnouncing || wasAnnounced,
  };
}
