import { sql } from 'kysely';
import { tenantOf, type Em } from '#lib/database/base.ts';
import type { QlmProfile } from '../registry/profile.schema.ts';
import type { ServingState } from '../registry/states.ts';

/** The version of a question model that is serving or suspended. */
export type ServingVersion = {
  modelUid: string;
  key: string;
  state: ServingState | null;
  versionUid: string | null;
  version: number | null;
  profile: QlmProfile | null;
  contentHash: string | null;
};

/**
 * Returns a question model of the tenant with its serving version, in one lookup; undefined if the question model does
 * not exist.
 */
export async function servingVersion(em: Em, model: string): Promise<ServingVersion | undefined> {
  const { workspace, environment } = tenantOf(em);
  const { rows } = await sql<ServingVersion>`
    select m.uid as "modelUid", m.key, s.state, v.uid as "versionUid", v.version, v.profile,
      v.content_hash as "contentHash"
    from qlm_model m
    left join lateral (
      select state, version_uid from qlm_serving s where s.model_uid = m.uid order by id desc limit 1
    ) s on true
    left join qlm_version v on v.uid = s.version_uid
    where m.uid = ${model} and m.workspace_uid = ${workspace} and m.environment = ${environment}
  `.execute(em.getKysely());
  return rows[0];
}
