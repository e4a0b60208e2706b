import { expect } from 'chai';
import { buildTenancy, type Tenancy } from '../../support/build.ts';
import { assay } from '../../support/cli.ts';
import { clientOf } from '../../support/client.ts';
import { createCounterparty } from '../../support/counterparty.ts';
import { onOneBackend } from '../../support/live.ts';
import { NETTING_SETS, termsOf } from '../../support/netting-set.ts';

const CALL = {
  valuation_date: '2026-11-20',
  currency: 'USD',
  mark_to_market_minor: 1_050_000_000,
  collateral_balance_minor: 0,
};

onOneBackend('assay netting-set', (live) => {
  let tenancy: Tenancy;
  let judge: string;
  let uid: string;
  let conflict: string;
  let other: Record<string, unknown>;

  beforeEach(async () => {
    tenancy = await buildTenancy(live());
    judge = (await buildTenancy(live(), { workspace: tenancy.workspace })).person;
    const terms = termsOf(await createCounterparty(live(), tenancy.workspace));
    uid = (await post(NETTING_SETS, terms)).body.uid;
    other = { ...terms, threshold_minor: 7, source_hash: '7'.repeat(64) };
    conflict = (await post(NETTING_SETS, other)).body.conflict_uid;
  });

  const post = (path: string, body: unknown) => clientOf(live(), tenancy.key).post(path, body);
  const read = async (one: string) =>
    (await clientOf(live(), tenancy.key).get(`${NETTING_SETS}/${one}`)).body;
  const resolve = (decision: string, by = judge) =>
    assay(
      live(),
      'netting-set',
      'resolve',
      decision,
      conflict,
      '--as',
      by,
      '--reason',
      'read the contract',
      '--json',
    );

  it('lists conflicts with recorded terms, which only a person who offered neither version may resolve', async () => {
    const listed = await assay(
      live(),
      'netting-set',
      'conflicts',
      '--workspace',
      tenancy.workspace,
      '--json',
    );
    expect(listed.json.data).to.have.lengthOf(1);
    expect(listed.json.data[0]).to.include({ uid: conflict, netting_set_uid: uid });
    expect((await resolve('keep', tenancy.person)).stderr).to.match(/^resolver_not_independent: /);
    expect((await resolve('keep')).json).to.include({ state: 'resolved_keep', netting_set_uid: uid });
    expect((await read(uid)).evidence.conflicts_open).to.equal(0);
    expect((await resolve('supersede')).stderr).to.match(/^conflict_resolved: /);
  });

  it('replaces the recorded terms by the conflicting terms for all later computations', async () => {
    const { json } = await resolve('supersede');
    expect(await read(json.netting_set_uid)).to.include({
      version: 2,
      supersedes: uid,
      superseded_at: null,
      threshold_minor: 7,
      name: other['name'],
    });
    expect((await read(uid)).superseded_at).to.be.a('string');
    const { status, body } = await post(`${NETTING_SETS}/${uid}/margin-calls`, CALL);
    expect([status, body.code]).to.deep.equal([409, 'netting_set_superseded']);
    const again = await post(NETTING_SETS, other);
    expect([again.status, again.body.uid]).to.deep.equal([201, json.netting_set_uid]);
  });
});
