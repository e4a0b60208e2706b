import { sql, type RawBuilder } from 'kysely';
import { Problem } from '#lib/core/problem.ts';
import type { Em } from '#lib/database/base.ts';

/**
 * Returns the serving version of a model for the workspace: the version that the `active` alias of the model names, if
 * that version is approved.
 */
export async function servingVersion(em: Em, key: string): Promise<string | undefined> {
  const { rows } = await servingVersionOf(key).execute(em.getKysely());
  return rows[0]?.version;
}

/** Returns the SQL that selects the serving version of a model: one row, or none. */
export function servingVersionOf(key: string): RawBuilder<{ version: string }> {
  return sql<{ version: string }>`
    select v.version
    from (
      select version from model_alias
      where key = ${key} and alias = 'active' and (workspace_uid is null or workspace_uid = app_workspace())
      order by (workspace_uid is null), id desc
      limit 1
    ) chosen
    join model_version v on v.key = ${key} and v.version = chosen.version and v.state = 'approved'
  `;
}

/** Returns the serving version as `servingVersion` does. Throws `model_not_approved` if there is no serving version. */
export async function requireServingVersion(em: Em, key: string): Promise<string> {
  const version = await servingVersion(em, key);
  if (version === undefined) throw notServed(key);
  return version;
}

/** Returns the problem of a model without a serving version. */
export function notServed(key: string): Problem {
  return new Problem('model_not_approved', `${key} has no active version.`);
}
