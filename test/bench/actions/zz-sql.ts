import { Client } from 'pg';
import { openCluster } from '../../support/cluster.ts';
const cluster = await openCluster('/tmp/prof-actions');
const su = new Client({ connectionString: cluster.superuserUrl('assay_prof') });
await su.connect();
const { rows: [d] } = await su.query("select uid, identity_uid, workspace_uid from delegation where state='activated' order by uid desc limit 1");
const { rows: [o] } = await su.query('select uid, source_hash from obligation limit 1');
console.log(d, (await su.query('select count(*) from governed_record')).rows, (await su.query('select count(*) from reservation')).rows);
const role = (await su.query("select rolname from pg_roles where rolname like 'assay_prof_operator%'")).rows[0]?.rolname;

console.log('role', role);
await su.query((await import('node:fs')).readFileSync('/tmp/new_terms.sql','utf8'));
await su.query(`set role ${role}`);
const pieces: Record<string, string> = {
  nothing: 'select 1',
  support: `select support_ends('${d.uid}', now())`,
  terms: `select terms_stand('${d.uid}')`,
  covers2: `select limits_cover2(g.body->'limits', d.terms) from governed_record g, delegation d where g.kind='ceiling' and d.uid='${d.uid}'`, coversbase: `select (g.body->'limits'), d.terms from governed_record g, delegation d where g.kind='ceiling' and d.uid='${d.uid}'`,
  covers: `select limits_cover(g.body->'limits', d.terms) from governed_record g, delegation d where g.kind='ceiling' and d.uid='${d.uid}'`,
  auth: `select authority_ends('${d.workspace_uid}','sandbox', a.key, v.person_uid, d.terms, now()) from delegation d join delegation_approval v on v.delegation_uid=d.uid join governed_record a on a.uid=v.authority_uid where d.uid='${d.uid}'`,
  role: `select role_ends('${d.workspace_uid}','sandbox','per_x','delegation_approver')`,
  hold: `select * from hold_windows('${d.uid}','2026-11-28','2026-11',190000,1900000)`,
  signed: `select jsonb_agg(jsonb_build_object('can_sign', passkey_signs(a.proof ->> 'passkey_uid', a.person_uid, a.proof ->> 'public_key', a.environment, a.at))) from delegation_approval a where a.delegation_uid='${d.uid}' and a.state='counted' and a.proof->>'kind'='passkey'`,
  known: `select exists (select from reservation where delegation_uid='${d.uid}' and reference='xx')`,
  obligation: `select json_build_object('state', o.governance_state, 'type', o.content ->> 'obligation_type') from (select * from obligation where uid='${o.uid}' and workspace_uid='${d.workspace_uid}' and environment='sandbox' for share) o`,
  names: `select coalesce(json_agg(json_build_object('uid', uid, 'state', state) order by uid), '[]') from governed_record where workspace_uid='${d.workspace_uid}' and environment='sandbox' and kind='policy' and state in ('active','suspended')`,
  base: `select i.state, w.financial_actions='frozen' from governed_record i cross join workspace w where i.uid='${d.identity_uid}' and w.uid='${d.workspace_uid}'`,
  body: `select body_in_force('${d.workspace_uid}','sandbox','ceiling','workspace')`,
};
for (const [name, q] of Object.entries(pieces)) {
  await su.query(`create or replace function pg_temp.t(out best float, out med float) language plpgsql as $f$
  declare t timestamptz; a float[]; r record; begin
   for i in 1..300 loop t := clock_timestamp(); for r in ${q} loop end loop; a := a || extract(epoch from clock_timestamp()-t)::float*1e6; end loop;
   select min(x), percentile_cont(0.5) within group (order by x) into best, med from unnest(a) x; end $f$`).catch(async (e) => console.log(name, e.message));
  const { rows: [r] } = await su.query('select * from pg_temp.t()');
  console.log(name.padEnd(12), r.best.toFixed(0), r.med.toFixed(0));
}
await su.end(); await cluster.release();
