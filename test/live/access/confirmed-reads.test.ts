import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'chai';
import { sql } from 'kysely';
import { confirmationOf, isCallerChanged, type Presented } from '#api/http/confirmation.ts';
import { parseApiKey } from '#lib/access/api-key.ts';
import { sha256 } from '#lib/core/seal.ts';
import type { Confirmation } from '#lib/core/confirmation.ts';
import type { Orm, StatementEm, Tenant } from '#lib/database/base.ts';
import { inOneStatement, inTenant, openOrm } from '#lib/database/orm.ts';
import { roleUrl } from '#lib/database/roles.ts';
import { buildTenancy, type Tenancy } from '../../support/build.ts';
import { clientOf } from '../../support/client.ts';
import { importTiny } from '../../support/import.ts';
import { onOneBackend } from '../../support/live.ts';
import { asSuperuser } from '../../support/rows.ts';

onOneBackend('The access of a caller', function (live) {
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
    it(`ends with the next read of any kind: ${what}`, async () => {
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

  it('has another quota from the next read on', async () => {
    const quotaOf = async () => (await read('/workspace')).headers.get('ratelimit-policy');
    const [first, second] = [await quotaOf(), await quotaOf()];
    expect(second).to.equal(first);
    await change(`update workspace set service_class = 'developer' where uid = $1`);
    expect(await quotaOf()).to.not.equal(first);
  });
});

onOneBackend('A transaction that confirms its caller', function (live) {
  let orm: Orm;
  let presented: Presented;
  let versions: string;
  let tenant: Tenant;

  before(async () => {
    const { key, workspace } = await buildTenancy(live());
    tenant = { workspace, environment: 'sandbox' };
    presented = ['api_key', parseApiKey(key)!.keyId, sha256(key)];
    orm = openOrm(roleUrl(live().ownerUrl, 'api'), 1);
    const [found] = await inTenant(orm, tenant, (em) =>
      em.execute<{ versions: string }[]>('select caller_versions(?, ?, ?) as versions', presented),
    );
    versions = found!.versions;
  });
  after(() => orm.close());

  it('is never confirmed by versions that are newer than its rights', async () => {
    const { key, application, workspace } = await buildTenancy(live());
    const [kind, id, hash] = ['api_key', parseApiKey(key)!.keyId, sha256(key)] as const;
    const own = openOrm(roleUrl(live().ownerUrl, 'api'), 1);
    try {
      // The key is revoked between the two functions of the statement.
      const admitting = own.em.getConnection().execute<{ refusal: string | null; versions: string }[]>(
        `select a.refusal, pg_sleep(1), caller_versions(?, ?, ?) as versions
           from admit_caller(?, ?, ?, 'sandbox', 'quant:models:read') a`,
        [kind, id, hash, kind, id, hash],
      );
      await delay(300);
      await asSuperuser(live(), (client) =>
        client.query('update credential set revoked_at = now() where application_uid = $1', [application]),
      );
      const [admitted] = await admitting;
      expect(admitted!.refusal).to.equal(null);
      const caller = { workspace, environment: 'sandbox' } as const;
      const confirmation = confirmationOf([kind, id, hash], { caller, versions: admitted!.versions });
      const error: unknown = await inTenant(own, caller, settings, {
        isReadOnly: true,
        confirmation,
      }).catch((thrown: unknown) => thrown);
      expect(isCallerChanged(error)).to.equal(true);
    } finally {
      await own.close();
    }
  });

  type Run = (work: (em: StatementEm) => Promise<unknown>, confirmation: Confirmation) => Promise<unknown>;

  const kinds: Record<string, Run> = {
    'of several statements': (work, confirmation) =>
      inTenant(orm, tenant, work, { isReadOnly: true, confirmation }),
    'of one statement': (work, confirmation) =>
      inOneStatement(orm, tenant, work, { isReadOnly: true, confirmation }),
  };
  const settings = async (em: StatementEm) => {
    const { rows } = await sql`select current_setting('app.workspace', true) as workspace,
      current_setting('transaction_read_only') as "readOnly"`.execute(em.getKysely());
    return rows[0];
  };
  const settingsAfter = async () => {
    const [found] = await orm.em.getConnection()
      .execute(`select coalesce(current_setting('app.workspace', true), '') as workspace,
        current_setting('transaction_read_only') as "readOnly", current_setting('app.ran', true) as ran`);
    return found;
  };

  for (const [kind, run] of Object.entries(kinds)) {
    it(`sees the caller's rows only, and leaves no settings behind: a transaction ${kind}`, async () => {
      const confirmation = confirmationOf(presented, { caller: tenant, versions });
      expect(await run(settings, confirmation)).to.deep.equal({
        workspace: tenant.workspace,
        readOnly: 'on',
      });
      expect(confirmation.isConfirmed()).to.equal(true);
      expect(await settingsAfter()).to.include({ workspace: '', readOnly: 'off' });
    });

    it(`runs nothing if the caller has changed: a transaction ${kind}`, async () => {
      const confirmation = confirmationOf(presented, { caller: tenant, versions: `${versions} ` });
      const work = (em: StatementEm) =>
        sql`select set_config('app.ran', 'yes', false)`.execute(em.getKysely());
      const error: unknown = await run(work, confirmation).catch((thrown: unknown) => thrown);
      expect([isCallerChanged(error), confirmation.isConfirmed()]).to.deep.equal([true, false]);
      expect(await settingsAfter()).to.deep.equal({ workspace: '', readOnly: 'off', ran: null });
    });

    it(`refuses a write: a transaction ${kind}`, async () => {
      const confirmation = confirmationOf(presented, { caller: tenant, versions });
      const write = (em: StatementEm) =>
        sql`create temp table left_behind (n integer)`.execute(em.getKysely());
      const error: unknown = await run(write, confirmation).catch((thrown: unknown) => thrown);
      expect(String(error)).to.match(/read-only transaction/);
      expect(confirmation.isConfirmed()).to.equal(false);
    });
  }
});
