import { expect } from 'chai';
import { placePending } from '#lib/audit/sequencer.write.ts';
import { sealDueSnapshot } from '#lib/commercial/value-snapshot.write.ts';
import { canonicalHash } from '#lib/core/seal.ts';
import { inTenant } from '#lib/database/orm.ts';
import { sealValueSnapshots } from '#workers/periodic/seal-value-snapshots.ts';
import { buildTenancy, type Tenancy } from '../../support/build.ts';
import { assay } from '../../support/cli.ts';
import { clientOf } from '../../support/client.ts';
import { eventually } from '../../support/runs.ts';
import { onOneBackend } from '../../support/live.ts';
import { confirmedBatch, evidenceOf, observe, openDesk } from '../../support/order-batch.ts';

onOneBackend('GET /commercial/financial-operations/value', function (live) {
  const read = async ({ key }: Tenancy) => {
    const { status, body } = await clientOf(live(), key).get('/commercial/financial-operations/value');
    expect(status, JSON.stringify(body)).to.equal(200);
    return body;
  };

  it('200 returns zeros and the coverage `empty` if no snapshot was sealed', async () => {
    const body = await read(await buildTenancy(live()));
    expect(body).to.deep.include({ uid: null, coverage: 'empty', monetary: [], snapshot_hash: null });
    expect(body.freshness).to.include({ age_seconds: null, stale: false });
  });

  it('200 returns the action counts, the reconciliation counts and the amounts by currency, with a hash of them', async () => {
    const tenancy = await buildTenancy(live());
    const desk = await openDesk(live(), tenancy);
    const made = await confirmedBatch(desk);
    expect((await observe(desk, made.uid, evidenceOf(made))).status).to.equal(200);
    await inTenant(live().orm('worker'), tenancy, placePending);
    // A snapshot covers only entries that the io worker has placed in the audit log. Some entries may not be
    // placed yet.
    const body = await eventually(async () => {
      const sealed = await assay(live(), 'value', 'snapshot', '--workspace', tenancy.workspace, '--json');
      expect(sealed.status, sealed.stderr).to.equal(0);
      const seen = await read(tenancy);
      expect(seen.uid).to.equal(sealed.json.uid);
      return seen.actions.closed === 1 ? seen : undefined;
    });
    expect(body.coverage).to.equal('partial');
    expect(body.reconciliation).to.include({
      observations: 1,
      matched: 2,
      breaks: 0,
      close_rate_bps: 10_000,
    });
    const amounts = { accepted_difference_minor: 0, open_exception_minor: 0, amount_scale: 2 };
    expect(body.monetary).to.deep.equal([
      { currency: 'EUR', actions_closed_minor: 191_000, reconciled_minor: 191_000, ...amounts },
      { currency: 'USD', actions_closed_minor: 28_499_850, reconciled_minor: 28_499_850, ...amounts },
    ]);
    expect(body.freshness).to.include({ stale: false });
    const { uid: _, computed_at: __, freshness: ___, snapshot_hash: hash, ...content } = body;
    expect(canonicalHash(content)).to.equal(hash);
  });

  it('seals a snapshot on schedule only if figures changed or the newest snapshot is too old', async () => {
    const tenancy = await buildTenancy(live());
    const desk = await openDesk(live(), tenancy);
    const made = await confirmedBatch(desk);
    const worker = live().orm('worker');
    await sealValueSnapshots(worker);
    const first = await read(tenancy);
    expect(first.actions).to.include({ closed: 0 });
    expect(first.uid).to.match(/^val_/);
    const sealDue = (now: Date) =>
      inTenant(worker, tenancy, async (em) => {
        await placePending(em);
        return sealDueSnapshot(em, now);
      });
    // Placing an audit entry changes the figures. The test waits until all entries are placed and no further
    // snapshot is due.
    await eventually(async () => !(await sealDue(new Date())));
    expect((await observe(desk, made.uid, evidenceOf(made))).status).to.equal(200);
    await eventually(async () => {
      await sealDue(new Date());
      return (await read(tenancy)).actions.closed === 1;
    });
    expect(await sealDue(new Date(Date.now() + 86_400_000))).to.equal(true);
  });
});
