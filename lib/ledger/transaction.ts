/**
 * A **transaction** is a movement on an account, as reported by a source. It is recorded once and never changed.
 *
 * - A **pending** transaction has been announced by the source.
 * - A **posted** transaction has been booked.
 * - A **reversal** is a separate transaction that reverses another transaction in full. A transaction can be reversed
 *   only once.
 */
export const directions = ['credit', 'debit'] as const;
export type Direction = (typeof directions)[number];

export const transactionStatuses = ['pending', 'posted', 'reversed'] as const;
export type TransactionStatus = (typeof transactionStatuses)[number];

/** The statuses that a file can contain. The status `reversed` follows from a reversal. */
export const statedStatuses = ['pending', 'posted'] as const satisfies readonly TransactionStatus[];
export type StatedStatus = (typeof statedStatuses)[number];

export const DESCRIPTION_CHARACTERS_MAX = 300;
