import { sql } from 'kysely';
import { canonicalHash } from '#lib/core/seal.ts';
import { version } from '#lib/core/version.ts';
import { tenantOf, type Em } from '#lib/database/base.ts';
import { policiesInForce } from '#lib/governance/policy/policies-in-force.query.ts';
import type { Configuration } from './evidence-pack.ts';

/** Returns the hashes of the rules that are currently active in the workspace. */
export async function readConfiguration(em: Em): Promise<Configuration> {
  const tenant = tenantOf(em);
  const { rows } = await sql<{ kind: string; hash: string }>`
    select kind, body_hash as hash from governed_record
    where workspace_uid = ${tenant.workspace} and environment = ${tenant.environment} and state = 'active'
      and kind in ('graph', 'authority', 'tolerance_profile')
  `.execute(em.getKysely());
  const hashesOf = (wanted: string) =>
    rows
      .filter(({ kind }) => kind === wanted)
      .map(({ hash }) => hash)
      .sort();
  const { enforced } = await policiesInForce(em, tenant);
  return {
    policy_set_hash: enforced.hash,
    authority_set_hash: canonicalHash(hashesOf('authority')),
    graph_hashes: hashesOf('graph'),
    tolerance_profile_hashes: hashesOf('tolerance_profile'),
    service_build: version,
  };
}
