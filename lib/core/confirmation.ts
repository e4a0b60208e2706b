/** A statement with numbered parameters. */
export type Statement = { text: string; values: readonly unknown[] };

/**
 * Confirms, in the first transaction of a request, a caller that was admitted a short time ago. The confirmation is sent
 * together with the first statement of the transaction and saves a round trip.
 */
export type Confirmation = {
  /**
   * Returns the statement that confirms the caller, for the first transaction that asks for it. The statement sets the
   * tenant of the transaction and makes it read-only. It fails, and ends the transaction, if the admission of the caller
   * has changed. The error is that of the first statement of the transaction, which must not catch it.
   */
  take(): Statement | undefined;
  /** Notes that the statement has succeeded. */
  confirm(): void;
};
