/**
 * A **transaction** is what a source says moved on an account; it is recorded once and never changed. **Pending** is
 * what the source has announced, **posted** what it has booked. A **reversal** is a transaction of its own that takes
 * back another one, whole and once.
 */
export const directions = ['credit', 'debit'] as const;
export type Direction = (typeof directions)[number];

export const transactionStatuses = ['pending', 'posted', 'reversed'] as const;
export type TransactionStatus = (typeof transactionStatuses)[number];

/** What a file may state. That a transaction was reversed follows from its reversal. */
export const statedStatuses = ['pending', 'posted'] as const satisfies readonly TransactionStatus[];
export type StatedStatus = (typeof statedStatuses)[number];

export const DESCRIPTION_CHARACTERS_MAX = 300;
