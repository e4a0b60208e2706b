import type { Clock } from '#lib/core/clock.ts';
import { filesWith, listsWith, operationsWith, type Caller } from '#lib/core/operation.ts';
import { inTenant, type Em, type Orm, type TransactionOptions } from '#lib/database/orm.ts';
import { createEffects, type Effects } from './effects.ts';
import { createCursors, type Cursors } from './http/cursor.ts';
import { type Runs } from './runs.ts';
import { tenantOf } from './tenant.ts';

/** What a handler is given. */
export type Services = {
  clock: Clock;
  cursors: Cursors;
  runs: Runs;
  /** A transaction that changes something, once for each idempotency key. */
  once: Effects;
  /** One transaction that carries the caller's workspace and environment. */
  transaction<T>(work: (em: Em) => Promise<T>, options?: Pick<TransactionOptions, 'plansOnce'>): Promise<T>;
};

export type SharedServices = Omit<Services, 'transaction' | 'cursors' | 'once'> & {
  orm: Orm;
  cursorSecret: string;
};

/** Of an operation that only reads, the transactions do too. */
export function servicesFor(shared: SharedServices, caller: Caller, isReadOnly = false): Services {
  const { workspace, environment } = caller;
  return {
    clock: shared.clock,
    runs: shared.runs,
    once: createEffects(shared),
    cursors: createCursors([shared.cursorSecret, workspace, environment].join(' ')),
    transaction: (work, options) => inTenant(shared.orm, tenantOf(caller), work, { ...options, isReadOnly }),
  };
}

export const defineOperation = operationsWith<Services>();

/** As `defineOperation`, of a list that is offered as CSV and as JSON lines too. */
export const defineList = listsWith<Services>();

/** Defines a download, which can be a file in another form than JSON. */
export const defineFile = filesWith<Services>();
