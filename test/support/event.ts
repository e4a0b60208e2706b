import { appendAudit } from '#lib/audit/audit.write.ts';
import type { AuditEvent } from '#lib/audit/entry.ts';
import { newUid } from '#lib/core/id.ts';
import { prefixes } from '#lib/core/prefix.ts';
import { inTenant } from '#lib/database/orm.ts';
import { listEvents } from '#lib/events/event.write.ts';
import { placeEntries } from '#lib/events/publish.write.ts';
import type { Backend } from './backends.ts';
import type { Tenancy } from './build.ts';
import { eventually } from './runs.ts';

/** Returns the audit event of an effect on a new record. */
export function auditEvent(further: Partial<AuditEvent> = {}): AuditEvent {
  return {
    at: new Date(),
    op: 'run.cancelled',
    actor: { kind: 'system' },
    subject: { type: 'run', uid: newUid(prefixes.themeFactorRun) },
    ...further,
  };
}

/**
 * Creates an event by appending an audit entry, and returns the uid of the event. The entry is added to the
 * Merkle tree either by this function or, if it is faster, by the io worker.
 */
export async function createEvent(
  backend: Pick<Backend, 'orm'>,
  { workspace, environment }: Pick<Tenancy, 'workspace' | 'environment'>,
): Promise<string> {
  const orm = backend.orm('worker');
  const tenant = { workspace, environment };
  const event = auditEvent();
  await inTenant(orm, tenant, async (em) => {
    await appendAudit(em, event);
    await placeEntries(em, new Date());
  });
  const question = { types: [event.op], subject: event.subject.uid, after: 0, limit: 1 };
  return eventually(async () => (await inTenant(orm, tenant, (em) => listEvents(em, question)))[0]?.uid);
}
