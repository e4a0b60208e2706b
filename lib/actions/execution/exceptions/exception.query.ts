import { tenantOf, type Em } from '#lib/database/base.ts';
import type { SettlementCalendar } from '../batch/calendar.ts';
import type { ExceptionState } from './exception-decision.ts';
import type { ExceptionKind } from './exception-kinds.ts';
import { ExecutionException, type CustodyObservation } from '../evidence/execution-evidence.entity.ts';
import { calendarOf } from '../batch/rules.query.ts';

/** An exception, and the calendar by which its age is computed. */
export type AgeingException = { record: ExecutionException; calendar: SettlementCalendar };

export type ExceptionQuestion = {
  batch?: string | undefined;
  state?: ExceptionState | undefined;
  kind?: ExceptionKind | undefined;
  after?: string | undefined;
  limit: number;
};

/** Returns the exceptions of the tenant of `em`, newest first. */
export async function listExceptions(
  em: Em,
  { batch, state, kind, after, limit }: ExceptionQuestion,
): Promise<AgeingException[]> {
  const calendar = await calendarOf(em, tenantOf(em));
  const found = await em.find(
    ExecutionException,
    {
      ...(after ? { uid: { $lt: after } } : {}),
      ...(batch ? { batchUid: batch } : {}),
      ...(state ? { state } : {}),
      ...(kind ? { kind } : {}),
    },
    { orderBy: { uid: 'desc' }, limit },
  );
  return found.map((record) => ({ record, calendar }));
}

export async function findException(em: Em, uid: string): Promise<AgeingException | undefined> {
  const record = await em.findOne(ExecutionException, { uid });
  return record ? { record, calendar: await calendarOf(em, tenantOf(em)) } : undefined;
}

/**
 * Returns the open exceptions that concern an observation: exceptions of its orders, of the observation
 * itself, and of its batch as a whole.
 */
export async function exceptionsOf(em: Em, observation: CustodyObservation): Promise<AgeingException[]> {
  const orders = observation.reconciliation.lines.flatMap(({ order_uid }) => (order_uid ? [order_uid] : []));
  const own = {
    $or: [
      { observationUid: observation.uid },
      { orderUid: orders },
      { orderUid: null, observationUid: null },
    ],
  };
  const calendar = await calendarOf(em, tenantOf(em));
  const found = await em.find(
    ExecutionException,
    { batchUid: observation.batchUid, state: ['open', 'acknowledged'], ...own },
    { orderBy: { uid: 'asc' }, limit: 1_000 },
  );
  return found.map((record) => ({ record, calendar }));
}
