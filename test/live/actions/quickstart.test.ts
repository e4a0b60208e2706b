import { expect } from 'chai';
import { sha256 } from '#lib/core/seal.ts';
import { governBy } from '#api/cli/shell/govern.ts';
import { prepareSample } from '#lib/sample/governed/prepare-sample.command.ts';
import { clientOf } from '../../support/client.ts';
import { assay } from '../../support/cli.ts';
import { governedSample, type Sample } from '../../support/govern.ts';
import { onOneBackend } from '../../support/live.ts';

onOneBackend('assay govern quickstart', (live) => {
  let sample: Sample;
  before(async () => {
    sample = await governedSample(live());
  });

  it('creates a confirmed batch that a custody observation closes', async () => {
    const { batch, custodian, applications } = sample;
    const client = clientOf(live(), applications.approver.api_key);
    const before = await client.get('/actions/investment-execution');
    expect(before.body.data[0]).to.deep.include({ uid: batch.uid, state: 'confirmed', closed: false });
    expect(before.body.data[0].closing_blockers).to.include('custody_observation_missing');
    const { status, body } = await client.post(`/actions/investment-execution/${batch.uid}/custody`, {
      observation_reference: 'CUST-1',
      custodian,
      account_reference: 'SAMPLE-4821',
      observed_at: new Date().toISOString(),
      settlement_date: new Date().toISOString().slice(0, 10),
      status: 'settled',
      source_system: 'custody_feed',
      source_reference: 'sese025:1',
      source_hash: sha256('sese025:1'),
      lines: batch.orders.map((order, index) => ({
        line_reference: String(index + 1),
        order_hash: order['order_hash'],
        instrument: order['instrument'],
        side: order['side'],
        quantity: order['quantity'],
        currency: order['currency'],
        settlement_amount_minor: order['settlement_amount_minor'],
        amount_scale: 2,
      })),
    });
    expect([status, body.reconciliation?.outcome, body.batch?.closed], JSON.stringify(body)).to.deep.equal([
      200,
      'matched',
      true,
    ]);
  });

  it('creates two concurrent samples under separate names', async () => {
    const { workspace, persons } = sample;
    const hands = { orm: live().orm('operator') };
    const maker = { kind: 'person' as const, uid: persons.grantor.uid };
    const prepare = () => governBy(hands, prepareSample, { workspace }, maker);
    const done = await Promise.all([prepare(), prepare()]);
    for (const { at, result } of done) expect(result.persons.grantor.createdAt).to.deep.equal(at);
    const made = done.map(({ result }) => result);
    expect(made.map(({ suffix }) => suffix).sort()).to.deep.equal(['-2', '-3']);
    for (const { uid } of made.flatMap((each) => Object.values(each.persons))) {
      const log = await assay(live(), 'audit', 'list', '--workspace', workspace, '--subject', uid, '--json');
      const [entry] = log.json.data;
      expect(entry).to.deep.include({ op: 'person.created', actor: maker });
    }
  });

  it('creates another sample with other keys each time', async () => {
    const again = await assay(live(), 'govern', 'quickstart', '--workspace', sample.workspace, '--json');
    expect(again.status, again.stderr).to.equal(0);
    expect(again.json.identity.uid).to.not.equal(sample.identity.uid);
    expect(again.json.applications.drafter.api_key).to.not.equal(sample.applications.drafter.api_key);
    expect(again.json.batch.uid).to.not.equal(sample.batch.uid);
    const unknown = await assay(live(), 'govern', 'quickstart', '--workspace', 'wsp_x', '--json');
    expect([unknown.status, unknown.stderr.split(':')[0]]).to.deep.equal([1, 'workspace_unknown']);
  });
});
