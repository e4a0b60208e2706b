import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect } from 'chai';
import { listAudit } from '#lib/audit/audit-entry.query.ts';
import { inTenant } from '#lib/database/orm.ts';
import { changeSchedule } from '#lib/workflows/change-schedule.command.ts';
import { changeVersion } from '#lib/workflows/change-version.command.ts';
import { discardFile } from '#lib/workflows/discard-file.command.ts';
import { keepFile } from '#lib/workflows/keep-file.command.ts';
import { scheduleWorkflow } from '#lib/workflows/schedule-workflow.command.ts';
import { setRate } from '#lib/workflows/set-rate.command.ts';
import { buildTenancy, type Tenancy } from '../../support/build.ts';
import { clientOf } from '../../support/client.ts';
import { doneAs, governAs } from '../../support/command.ts';
import { onOneBackend } from '../../support/live.ts';
import { policyInForce } from '../../support/policy-record.ts';
import { admitWorkflow, publishWorkflow, workflowPolicy } from '../../support/workflow.ts';
import { finopsBody } from '../../support/workflow-tables.ts';

onOneBackend('The audit log of workflows', function (live) {
  let tenancy: Tenancy;

  beforeEach(async () => {
    tenancy = await buildTenancy(live());
  });

  const place = () => ({ workspace: tenancy.workspace, environment: tenancy.environment });
  const entriesOf = async (subject: string) => {
    const listed = await inTenant(live().orm('operator'), place(), (em) =>
      listAudit(em, { subject, limit: 20 }),
    );
    return listed.map(({ entry }) => entry).toReversed();
  };
  const opsOf = async (subject: string) =>
    (await entriesOf(subject)).map(({ op, outcome, actor }) => [op, outcome.code, actor.uid]);

  it('records who proposed, published and withdrew a version, and refused attempts', async () => {
    const {
      uid,
      key,
      digest,
      proposedByUid: first,
      publishedByUid: second,
    } = await publishWorkflow(live(), tenancy);
    await doneAs(live(), first, changeVersion, { version: uid, event: 'withdraw' });
    const again = await governAs(live(), first, changeVersion, { version: uid, event: 'publish' });
    expect(again).to.deep.include({ ok: false, code: 'transition_not_allowed' });
    expect(await opsOf(uid)).to.deep.equal([
      ['workflow.proposed', null, first],
      ['workflow.published', null, second],
      ['workflow.withdrawn', null, first],
      ['workflow.published', 'transition_not_allowed', first],
    ]);
    expect((await entriesOf(uid))[0]!.details).to.deep.equal({ key, version: 1, digest });
  });

  it('records every admission decision with its hash', async () => {
    const version = await publishWorkflow(live(), tenancy);
    const denied = await admitWorkflow(live(), tenancy, version);
    await policyInForce(live(), tenancy, { body: workflowPolicy('allow') });
    const admitted = await admitWorkflow(live(), tenancy, version);
    for (const [{ uid, decision, decisionHash, policyDecisionUid }, refused] of [
      [denied, 'denied'],
      [admitted, null],
    ] as const) {
      const [entry] = await entriesOf(uid);
      expect(entry).to.deep.include({
        op: 'workflow.admission_decided',
        after_hash: decisionHash,
        decision_uid: policyDecisionUid,
        details: { workflow: version.key, version: 1, decision },
      });
      expect([entry!.outcome.code, entry!.actor.uid]).to.deep.equal([refused, tenancy.person]);
    }
  });

  it('records who set, suspended, resumed and removed a schedule', async () => {
    const { key } = await publishWorkflow(live(), tenancy);
    const { application, person } = tenancy;
    const plan = { ...place(), key, application, parameters: {}, every: '1h' };
    const { uid } = (await doneAs(live(), person, scheduleWorkflow, plan)).result;
    for (const event of ['suspend', 'resume', 'remove'] as const) {
      await doneAs(live(), person, changeSchedule, { schedule: uid, event });
    }
    expect(await opsOf(uid)).to.deep.equal([
      ['workflow.scheduled', null, person],
      ['workflow.schedule_suspended', null, person],
      ['workflow.schedule_resumed', null, person],
      ['workflow.schedule_removed', null, person],
    ]);
    expect((await entriesOf(uid))[0]!.details).to.deep.equal({ workflow: key });
  });

  it('records a stored file and its removal once', async () => {
    const { person } = tenancy;
    const folder = await mkdtemp(path.join(tmpdir(), 'assay-workflow-log-'));
    try {
      const file = path.join(folder, 'prices.csv');
      await writeFile(file, 'symbol,date\n');
      const given = { ...place(), path: file, feed: 'prices' };
      const kept = await doneAs(live(), person, keepFile, given);
      expect((await doneAs(live(), person, keepFile, given)).isNew).to.equal(false);
      const { uid, sha256, bytes } = kept.result;
      await doneAs(live(), person, discardFile, { file: uid });
      const again = await governAs(live(), person, discardFile, { file: uid });
      expect(again).to.deep.include({ ok: false, code: 'file_discarded' });
      expect(await opsOf(uid)).to.deep.equal([
        ['workflow.file_kept', null, person],
        ['workflow.file_discarded', null, person],
      ]);
      expect((await entriesOf(uid))[0]!.details).to.deep.equal({ sha256, bytes, feed: 'prices' });
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it('records changes of rates and cost policies with the person', async () => {
    const rate = { ...place(), currency: 'EUR', computeSecondMicro: 1 };
    const { uid } = (await doneAs(live(), tenancy.person, setRate, rate)).result;
    expect(await opsOf(uid)).to.deep.equal([['workflow.rate_set', null, tenancy.person]]);
    const put = async (monthly_budget_minor: number) =>
      (
        await clientOf(live(), tenancy.key).put('/workflow-studio/finops/policy', {
          ...finopsBody,
          monthly_budget_minor,
        })
      ).body;
    const [first, same, second] = [await put(1), await put(1), await put(2)];
    expect(same.uid).to.equal(first.uid);
    const [entry] = await entriesOf(second.uid);
    expect(entry).to.deep.include({
      op: 'finops.policy_updated',
      subject: { type: 'finops_policy', uid: second.uid, version: 2 },
      before_hash: first.policy_hash,
      after_hash: second.policy_hash,
    });
    expect(entry!.actor).to.include({ kind: 'application', uid: tenancy.application });
    expect(entry!.request_id).to.be.a('string');
    expect(await entriesOf(first.uid)).to.have.length(1);
  });
});
