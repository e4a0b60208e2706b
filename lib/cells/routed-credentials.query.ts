import { sql } from 'kysely';
import { Refusal } from '#lib/core/refusal.ts';
import type { Em } from '#lib/database/base.ts';

/** The largest number of credentials of a cell that the router knows. */
export const ROUTED_MAX = 500_000;

/**
 * Lists the credentials by which the router recognises workspaces: the public parts of the API keys that are not revoked,
 * and the ids of the OAuth clients. For operators: reads all given workspaces.
 */
export async function routedCredentials(em: Em, workspaces: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select case environment when 'production' then 'svc_live_' else 'svc_test_' end || key_id as id from credential
    where workspace_uid = any(${[...workspaces]}) and revoked_at is null and (expires_at is null or expires_at > now())
    union all
    select uid from oauth_client where workspace_uid = any(${[...workspaces]}) and revoked_at is null
    order by 1 limit ${ROUTED_MAX + 1}
  `.execute(em.getKysely());
  if (rows.length > ROUTED_MAX)
    throw new Refusal('too_many_credentials', `the router knows at most ${ROUTED_MAX} credentials of a cell`);
  return rows.map(({ id }) => id);
}
