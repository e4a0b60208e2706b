import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { canonicalHash } from '#lib/core/seal.ts';
import { library } from '#lib/workflows/library.ts';
import { checkListings } from '#workers/marketplace/check-listings.ts';
import { buildTenancy, type Tenancy } from '../../support/build.ts';
import { assay } from '../../support/cli.ts';
import { clientOf } from '../../support/client.ts';
import { sealPackOf } from '../../support/evidence-pack.ts';
import { onOneBackend } from '../../support/live.ts';
import { asSuperuser } from '../../support/rows.ts';
import { countGrants } from '../../support/workflow-library.ts';

onOneBackend('GET /marketplace/listings', (live) => {
  let publisher: Tenancy;
  let second: string;
  let folder: string;
  let number = 0;

  before(async () => {
    publisher = await buildTenancy(live());
    folder = mkdtempSync(join(tmpdir(), 'assay-listings-'));
    const { json } = await assay(
      live(),
      ...[
        'person',
        'create',
        '--workspace',
        publisher.workspace,
        '--name',
        'Ben',
        '--email',
        'ben@example.com',
      ],
      ...['--roles', 'approver', '--json'],
    );
    second = json.uid;
  });

  after(() => rmSync(folder, { recursive: true }));

  const propose = (change: object = {}) => {
    const path = join(folder, `listing-${(number += 1)}.json`);
    const file = {
      kind: 'workflow',
      key: `month-end-${number}`,
      version: '1.0.0',
      subject: 'month-end-themes',
      title: `Quuxory report ${number}`,
      description: 'Seals the theme factors of a month.',
      ...change,
    };
    writeFileSync(path, JSON.stringify(file));
    return assay(live(), 'marketplace', 'propose', path, '--workspace', publisher.workspace, '--json');
  };
  const approve = (uid: string, as: string) =>
    assay(live(), 'marketplace', 'approve', uid, '--as', as, '--json');
  const list = async (query: string, { key } = publisher) =>
    (await clientOf(live(), key).get(`/marketplace/listings?${query}`)).body.data;

  it('200 shows a listing to every workspace after a second person has approved it, and grants nothing', async () => {
    const reader = await buildTenancy(live());
    const proposed = await propose();
    expect(proposed.status, proposed.stderr).to.equal(0);
    const { uid } = proposed.json;
    expect((await clientOf(live(), reader.key).get(`/marketplace/listings/${uid}`)).status).to.equal(404);
    expect((await approve(uid, publisher.person)).stderr).to.match(/^second_person_required: /m);
    expect((await approve(uid, second)).status).to.equal(0);
    expect((await approve(uid, second)).stderr).to.match(/^transition_not_allowed: /m);
    const { status, body } = await clientOf(live(), reader.key).get(`/marketplace/listings/${uid}`);
    expect(status).to.equal(200);
    expect(body).to.deep.include({
      uid,
      kind: 'workflow',
      digest: canonicalHash(library['month-end-themes']),
      entitled: true,
      certification: null,
      grants: { scopes: [], authority: [] },
      required_scopes: ['investment:run'],
    });
    expect(await list('q=quux rep', reader)).to.have.lengthOf(1);
    expect((await assay(live(), 'marketplace', 'withdraw', uid)).status).to.equal(0);
    expect((await clientOf(live(), reader.key).get(`/marketplace/listings/${uid}`)).status).to.equal(404);
    expect(await list('q=quux rep', reader)).to.deep.equal([]);
  });

  it('200 filters by kind, word prefixes and entitlement', async () => {
    const { uid } = (await propose({ title: 'Zebra figures' })).json;
    await approve(uid, second);
    const uids = async (query: string, reader = publisher) =>
      (await list(query, reader)).map((each: { uid: string }) => each.uid);
    const poor = await buildTenancy(live(), { scopes: ['marketplace:read'] });
    expect(await uids('q=zeb fig&kind=workflow')).to.deep.equal([uid]);
    expect(await uids('q=zeb fig&kind=dataset')).to.deep.equal([]);
    expect(await uids('q=ebra')).to.deep.equal([]);
    expect(await uids('q=z.*')).to.deep.equal([uid]);
    expect(await uids('q=.*')).to.deep.equal([]);
    expect(await uids('q=zebra&entitled=true', poor)).to.deep.equal([]);
    expect(await uids('q=zebra&entitled=false', poor)).to.deep.equal([uid]);
    const { status } = await clientOf(live(), publisher.key).get(
      `/marketplace/listings?q=${'x'.repeat(101)}`,
    );
    expect(status).to.equal(422);
  });

  // I-210
  it('changes no grant, installation or entitlement when it is published', async () => {
    const counted = async () => [
      await countGrants(live()),
      await asSuperuser(live(), async (client) => {
        const { rows } = await client.query(
          `select (select count(*) from workflow_installation) as installations,
             (select count(*) from data_entitlement) as agreements,
             (select count(*) from dataset_entitlement) as datasets, (select sum(cardinality(entitlements)) from workspace) as scopes`,
        );
        return rows[0];
      }),
    ];
    const before = await counted();
    const { uid } = (await propose({ required_scopes: ['investment:run'] })).json;
    expect((await approve(uid, second)).status).to.equal(0);
    expect(await counted()).to.deep.equal(before);
  });

  // I-211
  it('shows the certification `evaluated` only with a sealed record, and revokes it when the item changes', async () => {
    const refused = await propose({ certification: { status: 'evaluated', evidence_hash: 'ab'.repeat(32) } });
    expect(refused.stderr).to.match(/^evidence_unsealed: /m);
    const pack = await sealPackOf(live(), publisher.key);
    const evidence_hash = pack.seal.pack_hash;
    const proposed = await propose({ certification: { status: 'evaluated', evidence_hash } });
    expect(proposed.status, proposed.stderr).to.equal(0);
    const { uid } = proposed.json;
    await approve(uid, second);
    const read = async () => (await clientOf(live(), publisher.key).get(`/marketplace/listings/${uid}`)).body;
    expect((await read()).certification).to.deep.equal({
      status: 'evaluated',
      evidence_hash,
      revoked_at: null,
    });
    await checkListings(live().orm('worker'));
    expect((await read()).certification.status).to.equal('evaluated');
    await asSuperuser(live(), (client) =>
      client.query('update market_listing set digest = $2 where uid = $1', [uid, 'cd'.repeat(32)]),
    );
    expect(await checkListings(live().orm('worker'))).to.equal(1);
    const { certification } = await read();
    expect(certification).to.include({ status: 'none', evidence_hash: null });
    expect(certification.revoked_at).to.be.a('string');
  });

  it('replaces the older version of a key, and refuses an unknown item or a repeated version', async () => {
    const first = (await propose({ key: 'versions' })).json.uid;
    await approve(first, second);
    expect((await propose({ key: 'versions' })).stderr).to.match(/^version_exists: /m);
    const next = (await propose({ key: 'versions', version: '1.1.0' })).json.uid;
    await approve(next, second);
    const { body } = await clientOf(live(), publisher.key).get(`/marketplace/listings/${first}`);
    expect(body.status).to.equal('superseded');
    expect((await propose({ subject: '../x' })).stderr).to.match(/^subject_unknown: /m);
    const dataset = { kind: 'dataset', subject: `dst_${'0'.repeat(26)}` };
    const offer = { actions: ['read'], licence_hash: 'ab'.repeat(32) };
    expect((await propose({ ...dataset, offer })).stderr).to.match(/^subject_unknown: /m);
    const model = { kind: 'model', subject: `lqv_${'0'.repeat(26)}` };
    expect((await propose(model)).stderr).to.match(/^subject_unknown: /m);
  });
});
