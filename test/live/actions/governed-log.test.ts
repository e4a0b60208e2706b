import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import { importLegacy } from '#lib/actions/execution/batch/import-legacy.command.ts';
import { decideExecutionException } from '#lib/actions/execution/exceptions/decide-exception.command.ts';
import { resolveObligationConflict } from '#lib/actions/obligations/resolve-obligation-conflict.command.ts';
import { withdrawObligation } from '#lib/actions/obligations/withdraw-obligation.command.ts';
import { resolveTermsConflict } from '#lib/investment/netting/resolve-terms-conflict.command.ts';
import { governAsPerson } from '../../support/as-person.ts';
import { buildTenancy, type Tenancy } from '../../support/build.ts';
import { clientOf } from '../../support/client.ts';
import { createCounterparty } from '../../support/counterparty.ts';
import { onOneBackend } from '../../support/live.ts';
import { logTail } from '../../support/log-tail.ts';
import { NETTING_SETS, termsOf } from '../../support/netting-set.ts';
import { offer, sourceOf } from '../../support/obligation.ts';
import {
  AMOUNTS,
  confirmBatch,
  confirmedBatch,
  draftBatch,
  evidenceOf,
  lineOf,
  observe,
  openDesk,
  releaseBatch,
  type Desk,
} from '../../support/order-batch.ts';

const newHash = () => randomBytes(32).toString('hex');

// A consequence must never precede its cause in the log.
onOneBackend('The audit log of governed changes', function (live) {
  let tenancy: Tenancy;
  let desk: Desk;

  before(async () => {
    tenancy = await buildTenancy(live());
    desk = await openDesk(live(), tenancy);
  });

  const as = (person: string) => {
    const { workspace, environment } = tenancy;
    return { tenant: { workspace, environment }, person };
  };

  it('records the release of a batch before the effects of evidence that arrived earlier', async () => {
    const log = await logTail(live(), tenancy);
    const made = await draftBatch(desk);
    await observe(desk, made.uid, evidenceOf(made));
    await releaseBatch(desk, made.uid);
    expect(await log.ops()).to.deep.equal([
      'batch.imported',
      'custody.observed',
      'exception.opened',
      'batch.evaluated',
      'batch.approved',
      'batch.released',
      'batch.state_changed',
    ]);
    const [released, changed] = (await log.entries()).slice(-2);
    expect(released!.details).to.include({ from: 'approved', to: 'released' });
    expect(changed!.details).to.deep.equal({ from: 'released', to: 'exception' });
  });

  it('records evidence before its effects under one request id', async () => {
    const made = await draftBatch(desk);
    await releaseBatch(desk, made.uid);
    const log = await logTail(live(), tenancy);
    await confirmBatch(desk, made);
    const evidence = evidenceOf(made);
    await observe(desk, made.uid, evidence);
    await observe(desk, made.uid, { ...evidence, source_hash: newHash() });
    expect(await log.ops()).to.deep.equal([
      'batch.confirmed',
      'batch.state_changed',
      'custody.observed',
      'batch.closed',
      'custody.conflict observation_conflict',
      'exception.opened',
      'exception.opened',
      'batch.reopened',
    ]);
    const requests = (await log.entries()).map(({ request_id }) => request_id);
    expect(new Set(requests.slice(2, 4)).size).to.equal(1);
    expect(new Set(requests.slice(4)).size).to.equal(1);
    expect(requests[2]).to.be.a('string').and.not.equal(requests[4]);
  });

  it('records both persons of a waiver and the effects of the second approval', async () => {
    const made = await confirmedBatch(desk);
    const [one, two] = made.orders;
    const lines = [lineOf(one!, AMOUNTS[0] - 5), lineOf(two!, AMOUNTS[1], { line_reference: '2' })];
    const { body } = await observe(desk, made.uid, evidenceOf(made, { lines }));
    const log = await logTail(live(), tenancy);
    const input = { uid: body.exceptions[0].uid, event: 'waive' as const, reason: 'fees', evidence: null };
    for (const person of [0, 1, 2] as const) {
      await governAsPerson(live(), decideExecutionException, input, as(desk.persons[person]));
    }
    expect(await log.ops()).to.deep.equal([
      'exception.waived decider_not_independent',
      'exception.waiver_requested',
      'exception.waived',
      'batch.closed',
    ]);
  });

  it('records the import of old batches with the number of batches', async () => {
    const log = await logTail(live(), tenancy);
    const batch = {
      portfolio_uid: 'prt',
      created_at: '2026-01-01T00:00:00Z',
      status: 'open',
      order_count: 1,
    };
    const batches = ['L-1', 'L-2', 'L-1'].map((legacy_reference) => ({ ...batch, legacy_reference }));
    const { tenant, person } = as(desk.persons[0]);
    const input = { ...tenant, file: { source_system: 'oms_v1', batches } };
    await governAsPerson(live(), importLegacy, input, { tenant, person });
    expect(await log.ops()).to.deep.equal(['batch.legacy_imported']);
    expect((await log.entries())[0]).to.deep.include({ details: { count: 2 } });
  });

  it('records the conflicts of an obligation, the decisions of persons, and refusals after its end', async () => {
    const log = await logTail(live(), tenancy);
    const judge = (await buildTenancy(live(), { workspace: tenancy.workspace })).person;
    const source = sourceOf(await createCounterparty(live(), tenancy.workspace));
    const { uid } = (await offer(live(), tenancy.key, source)).body;
    await offer(live(), tenancy.key, source);
    const other = { ...source, source_hash: newHash() };
    const { conflict_uid: conflict } = (await offer(live(), tenancy.key, other)).body;
    const keep = { conflict, decision: 'keep' as const, reason: 'a slip' };
    for (const person of [tenancy.person, judge])
      await governAsPerson(live(), resolveObligationConflict, keep, as(person));
    await governAsPerson(live(), withdrawObligation, { uid, reason: 'paid' }, as(judge));
    await governAsPerson(live(), withdrawObligation, { uid, reason: 'paid' }, as(judge));
    await offer(live(), tenancy.key, source);
    expect(await log.ops()).to.deep.equal([
      'obligation.registered',
      'obligation.conflict source_evidence_conflict',
      'obligation.conflict_resolved resolver_not_independent',
      'obligation.conflict_resolved',
      'obligation.withdrawn',
      'obligation.refused obligation_withdrawn',
    ]);
  });

  it('records netting set terms and their replacement', async () => {
    const log = await logTail(live(), tenancy);
    const judge = (await buildTenancy(live(), { workspace: tenancy.workspace })).person;
    const terms = termsOf(await createCounterparty(live(), tenancy.workspace));
    const post = (body: unknown) => clientOf(live(), tenancy.key).post(NETTING_SETS, body);
    await post(terms);
    const { body } = await post({ ...terms, source_hash: newHash() });
    const supersede = { conflict: body.conflict_uid, decision: 'supersede' as const, reason: 'signed' };
    const made = await governAsPerson(live(), resolveTermsConflict, supersede, as(judge));
    expect(await log.ops()).to.deep.equal([
      'netting_set.recorded',
      'netting_set.conflict source_evidence_conflict',
      'netting_set.conflict_resolved',
    ]);
    const successor = made.ok && made.result.successor!.uid;
    expect((await log.entries())[2]!.details).to.include({ successor_uid: successor });
    expect((await post({ ...terms, source_hash: newHash(), source_reference: 'x' })).body.code).to.equal(
      'name_in_use',
    );
  });
});
