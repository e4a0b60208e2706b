import { expect } from 'chai';
import { sql } from 'kysely';
import { appendAudit } from '#lib/audit/audit.write.ts';
import { placePending } from '#lib/audit/sequencer.write.ts';
import type { Tenant } from '#lib/database/base.ts';
import { inTenant } from '#lib/database/orm.ts';
import { eventTypes } from '#lib/events/catalog.ts';
import { listEvents } from '#lib/events/event.write.ts';
import { forgetEvents } from '#workers/periodic/forget-events.ts';
import { placeAuditEntries } from '#workers/periodic/place-audit-entries.ts';
import { auditDatabase, type AuditDatabase } from '../../support/audit.ts';
import { auditEvent } from '../../support/event.ts';

describe('events of committed effects', function () {
  let database: AuditDatabase;

  before(async () => (database = await auditDatabase('assay_test_events')));
  after(() => database.close());

  const everything = { types: [...eventTypes.keys()], after: 0, limit: 1_000 };
  const eventsOf = (tenant: Tenant, after = 0) =>
    inTenant(database.orm('api'), tenant, (em) => listEvents(em, { ...everything, after }));
  const publish = () => placeAuditEntries(database.orm('worker'));

  it('exist once for a committed effect and never for an effect that was rolled back', async () => {
    const tenant = await database.tenant();
    const kept = auditEvent();
    await inTenant(database.orm('api'), tenant, (em) => appendAudit(em, kept));
    await inTenant(database.orm('api'), tenant, async (em) => {
      await appendAudit(em, auditEvent());
      throw new Error('undone');
    }).catch(() => undefined);
    expect(await eventsOf(tenant)).to.deep.equal([]);
    await publish();
    await publish();
    const events = await eventsOf(tenant);
    expect(events.map(({ subject }) => subject.uid)).to.deep.equal([kept.subject.uid]);
    expect(events[0]).to.include({ type: 'run.cancelled', sequence: 1, occurred_at: kept.at.toISOString() });
  });

  // The entry that begins first commits last. A reader that continues from its cursor must still receive it.
  it('are ordered after the events that a reader has already seen, even if they commit late', async () => {
    const tenant = await database.tenant();
    const [slow, fast] = [auditEvent(), auditEvent()];
    const orm = database.orm('api');
    let seen = 0;
    await inTenant(orm, tenant, async (em) => {
      await appendAudit(em, slow);
      await inTenant(orm, tenant, (other) => appendAudit(other, fast));
      await publish();
      const events = await eventsOf(tenant);
      expect(events.map(({ subject }) => subject.uid)).to.deep.equal([fast.subject.uid]);
      seen = events[0]!.sequence;
    });
    await publish();
    expect((await eventsOf(tenant, seen)).map(({ subject }) => subject.uid)).to.deep.equal([
      slow.subject.uid,
    ]);
  });

  it('are created later for log entries that were placed without events', async () => {
    const tenant = await database.tenant();
    const uids: string[] = [];
    const append = async () => {
      const event = auditEvent();
      uids.push(event.subject.uid);
      await inTenant(database.orm('api'), tenant, (em) => appendAudit(em, event));
    };
    await append();
    await publish();
    await append();
    await inTenant(database.orm('worker'), tenant, placePending);
    await append();
    await publish();
    expect((await eventsOf(tenant)).map(({ subject }) => subject.uid)).to.deep.equal(uids);
  });

  it('belong only to their workspace and environment', async () => {
    const [mine, theirs] = [await database.tenant(), await database.tenant()];
    for (const tenant of [mine, theirs, { ...mine, environment: 'production' as const }]) {
      await inTenant(database.orm('api'), tenant, (em) => appendAudit(em, auditEvent()));
    }
    await publish();
    const lists = [await eventsOf(mine), await eventsOf(theirs)];
    for (const list of lists) expect(list).to.have.lengthOf(1);
    expect(lists[0]![0]!.uid).to.not.equal(lists[1]![0]!.uid);
    const unfiltered = await inTenant(database.orm('api'), mine, (em) =>
      sql<{ uid: string }>`select uid from event`.execute(em.getKysely()),
    );
    expect(unfiltered.rows.map(({ uid }) => uid)).to.deep.equal([lists[0]![0]!.uid]);
  });

  it('contain neither text from persons or sources nor secrets', async () => {
    const tenant = await database.tenant();
    const canary = 'CANARY secret words';
    for (const [op, { outcome, members }] of eventTypes) {
      const details = Object.fromEntries(
        [...members, 'reason', 'name', 'reference'].map((name) => [name, canary]),
      );
      await inTenant(database.orm('api'), tenant, (em) =>
        appendAudit(
          em,
          auditEvent({
            op: op as 'run.sealed',
            refused: outcome === 'refused' ? 'no' : undefined,
            details,
            requestId: 'CANARY',
          }),
        ),
      );
    }
    await publish();
    const { rows } = await inTenant(database.orm('api'), tenant, (em) =>
      sql<Record<string, unknown>>`select * from event`.execute(em.getKysely()),
    );
    expect(rows).to.have.lengthOf(eventTypes.size);
    expect(JSON.stringify(rows)).to.not.include('CANARY');
  });

  it('are kept for thirty days', async () => {
    const tenant = await database.tenant();
    await inTenant(database.orm('api'), tenant, (em) => appendAudit(em, auditEvent()));
    await publish();
    const after = (days: number) => new Date(Date.now() + days * 86_400_000);
    await forgetEvents(database.orm('worker'), after(29));
    expect(await eventsOf(tenant)).to.have.lengthOf(1);
    await forgetEvents(database.orm('worker'), after(31));
    expect(await eventsOf(tenant)).to.deep.equal([]);
  });
});
