import { LockMode } from '@mikro-orm/core';
import { expect } from 'chai';
import { Obligation } from '#lib/actions/obligations/obligation.entity.ts';
import { buildTenancy, type Tenancy } from '../../support/build.ts';
import { assay } from '../../support/cli.ts';
import { clientOf } from '../../support/client.ts';
import { onOneBackend } from '../../support/live.ts';
import { atOnce } from '../../support/locked.ts';
import { createConflict, OBLIGATIONS, sourceOf } from '../../support/obligation.ts';
import { replayLog } from '../../support/log-replay.ts';

onOneBackend('the command line for obligations, counterparties and custodians', function (live) {
  let tenancy: Tenancy;
  let judge: string;
  let conflict: string;

  beforeEach(async () => {
    tenancy = await buildTenancy(live());
    judge = (await buildTenancy(live(), { workspace: tenancy.workspace })).person;
    conflict = await createConflict(live(), tenancy);
  });

  const resolve = (decision: 'keep' | 'supersede', by: string) =>
    assay(
      live(),
      'obligation',
      'resolve',
      decision,
      conflict,
      '--as',
      by,
      '--reason',
      'looked into it',
      '--json',
    );
  const read = async (path: string) => (await clientOf(live(), tenancy.key).get(path)).body;
  const conflictNow = () => read(`/actions/credit-corporate/obligation-conflicts/${conflict}`);

  it('I-023 ends a dispute if a person who offered neither version keeps the record', async () => {
    expect((await resolve('keep', tenancy.person)).stderr).to.match(/^resolver_not_independent: /);
    const { json } = await resolve('keep', judge);
    expect(json).to.include({ uid: conflict, state: 'resolved_keep', governance_state: 'registered' });
    expect((await conflictNow()).state).to.equal('resolved_keep');
    expect((await resolve('keep', judge)).stderr).to.match(/^conflict_resolved: /);
  });

  it('replaces the record by the conflicting source', async () => {
    const { obligation_uid: old } = await conflictNow();
    const { json } = await resolve('supersede', judge);
    const [before, now] = [
      await read(`${OBLIGATIONS}/${old}`),
      await read(`${OBLIGATIONS}/${json.obligation_uid}`),
    ];
    expect(before.governance_state).to.equal('superseded');
    expect(now).to.include({
      governance_state: 'registered',
      version: 2,
      source_reference: before.source_reference,
    });
    expect(now.source_hash).to.equal((await conflictNow()).offered_source_hash);
  });

  it('replaces a record by the last of several conflicting sources and closes all conflicts', async () => {
    const { obligation_uid: uid, offered_source_hash } = await conflictNow();
    const { source_system, source_reference, counterparty_id } = await read(`${OBLIGATIONS}/${uid}`);
    const third = sourceOf(counterparty_id, { source_system, source_reference, source_hash: '3'.repeat(64) });
    const { body } = await clientOf(live(), tenancy.key).post(OBLIGATIONS, third);
    expect(body.code).to.equal('source_evidence_conflict');
    expect((await resolve('supersede', judge)).stderr).to.match(/^conflicts_open: /);
    const aside = ['obligation', 'resolve', 'keep', body.conflict_uid, '--as', judge, '--reason', 'a slip'];
    expect((await assay(live(), ...aside, '--json')).json).to.include({ governance_state: 'disputed' });
    const { json } = await resolve('supersede', judge);
    expect((await read(`${OBLIGATIONS}/${json.obligation_uid}`)).source_hash).to.equal(offered_source_hash);
    const log = await replayLog(live(), tenancy);
    expect([log.faults, log.untold]).to.deep.equal([[], []]);
  });

  it('withdraws a record permanently, so that no conflict or source restores it', async () => {
    const { obligation_uid: uid } = await conflictNow();
    const before = await read(`${OBLIGATIONS}/${uid}`);
    const withdraw = ['obligation', 'withdraw', uid, '--as', judge, '--reason', 'paid', '--json'];
    expect((await assay(live(), ...withdraw)).json).to.include({ governance_state: 'withdrawn' });
    expect((await resolve('supersede', judge)).stderr).to.match(/^transition_not_allowed: /);
    expect((await resolve('keep', judge)).json).to.include({ governance_state: 'withdrawn' });
    const { source_system, source_reference, source_hash, counterparty_id } = before;
    for (const hash of [source_hash, '4'.repeat(64)]) {
      const again = sourceOf(counterparty_id, { source_system, source_reference, source_hash: hash });
      const { status, body } = await clientOf(live(), tenancy.key).post(OBLIGATIONS, again);
      expect([status, body.code, body.existing.uid]).to.deep.equal([409, 'obligation_withdrawn', uid]);
    }
    const log = await replayLog(live(), tenancy);
    expect([log.faults, log.untold]).to.deep.equal([[], []]);
  });

  it('records the refused decision of a person who offered one of the versions', async () => {
    await resolve('keep', tenancy.person);
    const tail = await assay(live(), 'audit', 'list', '--workspace', tenancy.workspace, '--json');
    expect(tail.json.data[0]).to.deep.include({
      op: 'obligation.conflict_resolved',
      outcome: { status: 'refused', code: 'resolver_not_independent' },
    });
  });

  it('accepts one decision if two persons decide concurrently', async () => {
    const { obligation_uid } = await conflictNow();
    const other = (await buildTenancy(live(), { workspace: tenancy.workspace })).person;
    const both = await atOnce(
      live(),
      (em) =>
        em.findOneOrFail(
          Obligation,
          { uid: obligation_uid },
          { filters: false, lockMode: LockMode.PESSIMISTIC_WRITE },
        ),
      [() => resolve('keep', judge), () => resolve('supersede', other)],
    );
    expect(both.map(({ status }) => status).sort()).to.deep.equal([0, 1]);
    expect(both.find(({ status }) => status === 1)!.stderr).to.match(/^conflict_resolved: /);
  });

  it('assigns counterparties and custodians the integer ids that the API uses', async () => {
    const create = (kind: string, ...more: string[]) =>
      assay(live(), kind, 'create', '--workspace', tenancy.workspace, '--name', 'Acme', ...more, '--json');
    const { json } = await create('counterparty');
    expect(json.id).to.be.a('number');
    expect((await create('counterparty')).stderr).to.match(/^counterparty_exists: /);
    expect((await create('custodian', '--key', 'bny_main')).json).to.include({ key: 'bny_main' });
    const listed = await assay(live(), 'counterparty', 'list', '--workspace', tenancy.workspace, '--json');
    expect(listed.json.data.map(({ id }: { id: number }) => id)).to.include(json.id);
  });
});
