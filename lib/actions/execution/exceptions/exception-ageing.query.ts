import { utcDate } from '#lib/core/clock.ts';
import { tenantOf, type Em } from '#lib/database/base.ts';
import { calendarOf } from '../batch/rules.query.ts';
import { ExecutionException } from '../evidence/execution-evidence.entity.ts';
import { digestExceptions, type ExceptionAgeing } from './exception-ageing.ts';

/** The largest number of open exceptions that a digest counts. */
const OPEN_MAX = 10_000;

/** Counts the open exceptions of the current tenant by age; undefined if there are more than 10,000. */
export async function exceptionAgeing(em: Em, today: string): Promise<ExceptionAgeing | undefined> {
  const found = await em.find(
    ExecutionException,
    { state: ['open', 'acknowledged'] },
    { fields: ['uid', 'kind', 'openedAt'], orderBy: { uid: 'asc' }, limit: OPEN_MAX + 1 },
  );
  if (found.length > OPEN_MAX) return undefined;
  const open = found.map(({ kind, openedAt }) => ({ kind, openedOn: utcDate(openedAt) }));
  return digestExceptions(open, await calendarOf(em, tenantOf(em)), today);
}
