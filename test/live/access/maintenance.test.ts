import { expect } from 'chai';
import { newUid } from '#lib/core/id.ts';
import { prefixes } from '#lib/core/prefix.ts';
import { inPlatform } from '#lib/database/orm.ts';
import { Application } from '#lib/access/application.entity.ts';
import { issueClient } from '#lib/access/oauth-client.write.ts';
import { forgetAccess } from '#workers/periodic/forget-access.ts';
import { buildTenancy } from '../../support/build.ts';
import { onOneBackend } from '../../support/live.ts';
import { asSuperuser } from '../../support/rows.ts';

onOneBackend('Housekeeping of access', (live) => {
  it('deletes only records that are no longer needed', async () => {
    const tenancy = await buildTenancy(live());
    const client = await inPlatform(live().orm('operator'), async (em) => {
      const application = await em.findOneOrFail(
        Application,
        { uid: tenancy.application },
        { filters: false },
      );
      return issueClient(em, application, tenancy.person, new Date()).client;
    });
    await asSuperuser(live(), async (database) => {
      for (const [name, ends] of [
        ['kept', `now() - interval '23 hours'`],
        ['gone', `now() - interval '25 hours'`],
      ]) {
        await database.query(
          `insert into access_token (token_hash, uid, workspace_uid, environment, client_uid, secret_version, scopes,
             issued_at, expires_at) values ($1, $2, $3, 'sandbox', $4, 1, '{}', now() - interval '2 days', ${ends})`,
          [`${name} ${tenancy.workspace}`, newUid(prefixes.accessToken), tenancy.workspace, client.uid],
        );
      }
      for (const [name, ends] of [
        ['kept', `now() - interval '23 hours'`],
        ['gone', `now() - interval '25 hours'`],
      ]) {
        const place = [`${name} ${tenancy.workspace}`, tenancy.workspace, tenancy.person];
        await database.query(
          `insert into console_link (link_hash, workspace_uid, environment, person_uid, created_at, expires_at)
             values ($1, $2, 'sandbox', $3, now() - interval '2 days', ${ends})`,
          place,
        );
        await database.query(
          `insert into console_session (session_hash, workspace_uid, environment, person_uid, proof, opened_at, seen_at,
             ends_at) values ($1, $2, 'sandbox', $3, 'link', now() - interval '2 days', now(), ${ends})`,
          place,
        );
      }
      for (const [name, refusedAs, ends] of [
        ['kept', null, `now() - interval '23 hours'`],
        ['gone', null, `now() - interval '25 hours'`],
        ['kept refused', 'identity_unknown', `now() - interval '29 days'`],
        ['gone refused', 'identity_unknown', `now() - interval '31 days'`],
      ]) {
        await database.query(
          `insert into oidc_flow (flow_hash, session_environment, page, created_at, expires_at, used_at, refused_as)
             values ($1, 'sandbox', '/console', now() - interval '40 days', ${ends}, now(), $2)`,
          [`${name} ${tenancy.workspace}`, refusedAs],
        );
      }
      await database.query(`insert into rate_limit values
        ('kept ${tenancy.workspace}', now() + interval '1 minute'), ('gone ${tenancy.workspace}', now() - interval '1 second')`);
      await database.query(`insert into penalty values
        ('kept ${tenancy.workspace}', 1, now(), now() + interval '1 minute'), ('gone ${tenancy.workspace}', 1, now(), now() - interval '1 second')`);
      await forgetAccess(live().orm('worker'));
      for (const [table, column] of [
        ['access_token', 'token_hash'],
        ['console_link', 'link_hash'],
        ['console_session', 'session_hash'],
        ['rate_limit', 'key'],
        ['penalty', 'key'],
      ]) {
        const { rows } = await database.query(
          `select ${column} as key from ${table} where ${column} like $1`,
          [`%${tenancy.workspace}`],
        );
        expect(rows, table).to.deep.equal([{ key: `kept ${tenancy.workspace}` }]);
      }
      const { rows: flows } = await database.query(
        `select flow_hash as key from oidc_flow where flow_hash like $1 order by expires_at desc`,
        [`%${tenancy.workspace}`],
      );
      expect(flows).to.deep.equal(
        ['kept', 'kept refused'].map((name) => ({ key: `${name} ${tenancy.workspace}` })),
      );
    });
  });
});
