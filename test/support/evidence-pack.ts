import { expect } from 'chai';
import { appendAudit } from '#lib/audit/audit.write.ts';
import type { AuditEvent } from '#lib/audit/entry.ts';
import { inTenant } from '#lib/database/orm.ts';
import type { Backend } from './backends.ts';
import type { Tenancy } from './build.ts';
import { clientOf } from './client.ts';
import { asSuperuser } from './rows.ts';

/** Creates an evidence pack as a caller does. Returns its uid. */
export async function createPack(backend: Backend, { key }: Tenancy): Promise<string> {
  return (await sealPackOf(backend, key)).uid;
}

/** Requests an evidence pack as a caller, and returns the pack. */
// oxlint-disable-next-line no-explicit-any -- what comes over the wire is what the tests look at
export async function sealPackOf(backend: Backend, key: string): Promise<any> {
  const { status, body } = await clientOf(backend, key).post('/trust/evidence-packs');
  expect(status, JSON.stringify(body)).to.equal(201);
  return body;
}

export const actor = (uid: string) => ({ kind: 'person', uid }) as const;

/** Writes audit entries as the service writes them. */
export function happenIn(
  backend: Pick<Backend, 'orm'>,
  { workspace, environment }: Tenancy,
  ...events: Partial<AuditEvent>[]
): Promise<void> {
  return inTenant(backend.orm('api'), { workspace, environment }, async (em) => {
    for (const each of events) {
      const base = { at: new Date(), op: 'test.happened', actor: actor('per_1') } as const;
      await appendAudit(em, { ...base, subject: { type: 'test', uid: 'tst_1' }, ...each } as AuditEvent);
    }
  });
}

/** Runs a statement as a role that bypasses the triggers which protect the log. */
export function changePastTriggers(backend: Backend, text: string, values: unknown[] = []): Promise<unknown> {
  return asSuperuser(backend, async (client) => {
    await client.query('set session_replication_role = replica');
    return client.query(text, values);
  });
}
