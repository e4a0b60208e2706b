import { Readable } from 'node:stream';
import type { Context } from 'koa';
import type { Caller } from '#lib/core/operation.ts';
import type { Confirmation } from '#lib/database/base.ts';

/** A caller that was admitted, and the row of the admission as PostgreSQL writes it. */
export type Admitted = { caller: Caller; row: string };

/** SQLSTATE of the error with which `caller_changed` ends a transaction. */
const CALLER_CHANGED = '28000';

/**
 * Fails unless the caller would be admitted with the row `$6` now. Sets the tenant of the transaction, and makes the
 * transaction read-only.
 */
const CONFIRM = `
  select caller_changed() from admit_caller($1, $2, $3, $4, $5) a
  where set_config('transaction_read_only', 'on', true) <> 'on' or a::text is distinct from $6`;

/** Creates the confirmation of a caller. `presented` are the arguments of the admission. */
export function confirmationOf(
  presented: readonly unknown[],
  { row }: Pick<Admitted, 'row'>,
): Confirmation & { isConfirmed(): boolean } {
  let isTaken = false;
  let isConfirmed = false;
  return {
    take() {
      if (isTaken) return undefined;
      isTaken = true;
      return { text: CONFIRM, values: [...presented, row] };
    },
    confirm: () => void (isConfirmed = true),
    isConfirmed: () => isConfirmed,
  };
}

/** Whether an error says that the admission of a caller has changed. */
export function isCallerChanged(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if ((cause as { code?: unknown }).code === CALLER_CHANGED) return true;
  }
  return false;
}

/** Removes an answer that was prepared but not sent. Keeps the headers of these names, which were set before it. */
export function discardAnswer(ctx: Context, kept: readonly string[]): void {
  if (ctx.body instanceof Readable) ctx.body.destroy();
  ctx.body = null;
  ctx.status = 404;
  for (const name of ctx.res.getHeaderNames()) if (!kept.includes(name)) ctx.remove(name);
}
