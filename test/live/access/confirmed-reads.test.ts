import { expect } from 'chai';
import { buildTenancy, type Tenancy } from '../../support/build.ts';
import { clientOf } from '../../support/client.ts';
import { importTiny } from '../../support/import.ts';
import { onOneBackend } from '../../support/live.ts';
import { asSuperuser } from '../../support/rows.ts';

onOneBackend('A right that a caller loses between two reads', function (live) {
  let tenancy: Tenancy;
  let paths: string[];

  before(async () => {
    tenancy = await buildTenancy(live());
    await importTiny(live(), tenancy.workspace);
    const { status, body } = await clientOf(live(), tenancy.key).post('/investment/theme-watch/factors', {});
    expect(status).to.equal(201);
    // A run, a list, a record, and a path without a record.
    paths = [
      `/investment/theme-watch/factors/${body.uid}`,
      '/quant/compute/jobs',
      '/workspace',
      '/investment/theme-watch/factors/tfr_00000000000000000000000000',
    ];
  });

  const read = (path: string) => clientOf(live(), tenancy.key).get(path);
  const change = (set: string) =>
    asSuperuser(live(), (client) =>
      client.query(set, [set.includes('workspace set') ? tenancy.workspace : tenancy.application]),
    );

  const changes = {
    'a revoked key': {
      change: 'update credential set revoked_at = now() where application_uid = $1',
      undo: 'update credential set revoked_at = null where application_uid = $1',
      expected: [401, 'invalid_token'],
    },
    'an expired key': {
      change: `update credential set expires_at = now() - interval '1 second' where application_uid = $1`,
      undo: 'update credential set expires_at = null where application_uid = $1',
      expected: [401, 'invalid_token'],
    },
    'a suspended application': {
      change: `update application set status = 'suspended' where uid = $1`,
      undo: `update application set status = 'active' where uid = $1`,
      expected: [403, 'application_inactive'],
    },
    'an application without the scope': {
      change: `update application set name = array_to_string(scopes, ' '), scopes = '{}' where uid = $1`,
      undo: `update application set scopes = string_to_array(name, ' ') where uid = $1`,
      expected: [403, 'insufficient_scope'],
    },
    'a workspace without the entitlement': {
      change: `update workspace set name = array_to_string(entitlements, ' '), entitlements = '{}' where uid = $1`,
      undo: `update workspace set entitlements = string_to_array(name, ' ') where uid = $1`,
      expected: [403, 'entitlement_missing'],
    },
  };

  for (const [what, { change: lose, undo, expected }] of Object.entries(changes)) {
    it(`is missing in the next read, whatever it reads: ${what}`, async () => {
      for (const path of paths) {
        const before = [await read(path), await read(path)].map(({ status }) => status);
        await change(lose);
        const { status, body } = await read(path);
        expect([status, body.code], path).to.deep.equal(expected);
        await change(undo);
        const after = [await read(path), await read(path)].map(({ status }) => status);
        expect(after, path).to.deep.equal(before);
      }
    });
  }

  it('is another quota from the next read on', async () => {
    const quotaOf = async () => (await read('/workspace')).headers.get('ratelimit-policy');
    const [first, second] = [await quotaOf(), await quotaOf()];
    expect(second).to.equal(first);
    await change(`update workspace set service_class = 'developer' where uid = $1`);
    expect(await quotaOf()).to.not.equal(first);
  });
});
