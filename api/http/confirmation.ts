import type { Context } from 'koa';
import { causesOf } from '#lib/core/causes.ts';
import type { Caller } from '#lib/core/operation.ts';
import type { Confirmation } from '#lib/core/confirmation.ts';
import type { Tenant } from '#lib/database/base.ts';

/** A caller that was admitted, and the versions of the rows that decided about it. */
export type Admitted = { caller: Caller; versions: string };

/** SQLSTATE of the error with which `confirm_caller` ends a transaction. */
const CALLER_CHANGED = '28000';

const CONFIRM = 'select confirm_caller($1, $2, $3, $4, $5, $6)';

/** A presented credential: its kind, its lookup id and its hash. */
export type Presented = readonly [kind: string, id: string, hash: string, ...rest: unknown[]];

/** Creates the confirmation of a caller that presents the same credential again. */
export function confirmationOf(
  [kind, id, hash]: Presented,
  { caller: { workspace, environment }, versions }: { caller: Tenant; versions: string },
): Confirmation & { isConfirmed(): boolean } {
  let isTaken = false;
  let isConfirmed = false;
  return {
    take() {
      if (isTaken) return undefined;
      isTaken = true;
      return { text: CONFIRM, values: [kind, id, hash, workspace, environment, versions] };
    },
    confirm: () => void (isConfirmed = true),
    isConfirmed: () => isConfirmed,
  };
}

/** Whether an error says that the admission of a caller has changed. */
export function isCallerChanged(error: unknown): boolean {
  return causesOf(error).some(({ code }) => code === CALLER_CHANGED);
}

/**
 * Removes an answer that was prepared but not sent, and its caller. Keeps the headers of these names, which were set
 * before it.
 */
export function discardAnswer(ctx: Context, kept: readonly string[]): void {
  delete ctx.state['caller'];
  for (const name of ctx.res.getHeaderNames()) if (!kept.includes(name)) ctx.remove(name);
  ctx.body = null;
  ctx.status = 404;
}
