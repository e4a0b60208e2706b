import { LockMode } from '@mikro-orm/core';
import type { Em } from '#lib/database/base.ts';
import { Application } from './application.entity.ts';
import { decideApplication, type ApplicationEvent, type ApplicationVerdict } from './application.ts';

/**
 * Locks an application, asks the rule, and writes what it says, in the caller's transaction; undefined when there is
 * none. For operators: it looks into all workspaces.
 */
export async function changeApplication(
  em: Em,
  uid: string,
  event: ApplicationEvent,
): Promise<{ application: Application; verdict: ApplicationVerdict } | undefined> {
  const lockMode = LockMode.PESSIMISTIC_WRITE;
  const application = await em.findOne(Application, { uid }, { filters: false, lockMode });
  if (!application) return undefined;
  const verdict = decideApplication(application.status, event);
  if (verdict.ok && verdict.next !== 'unchanged') application.status = verdict.next;
  return { application, verdict };
}
