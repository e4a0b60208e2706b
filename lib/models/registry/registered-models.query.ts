import { sql } from 'kysely';
import type { Em } from '#lib/database/base.ts';
import { ModelAlias, ModelVersion } from './model.entity.ts';

/** A built-in model in the registry. */
export type RegisteredModel = {
  key: string;
  /** The description of the newest version. */
  description: string;
  /** The serving version for the workspace; null if there is none. */
  serving: string | null;
  /** Whether all versions are retired. */
  isRetired: boolean;
};

/** The maximum number of versions and of alias entries that are read. */
const HISTORY_MAX = 200;

/**
 * Returns a map from the key of each built-in model to the model. With a day, `serving` is the serving version at the
 * end of that day (UTC). A choice of the workspace takes precedence over the choice of the platform.
 */
export async function registeredModels(em: Em, day?: string): Promise<Map<string, RegisteredModel>> {
  const by = day === undefined ? sql`` : sql`and since <= ${`${day}T23:59:59.999Z`}`;
  const { rows } = await sql<RegisteredModel>`
    with chosen as (
      select distinct on (key) key, version from model_alias
      where alias = 'active' and (workspace_uid is null or workspace_uid = app_workspace()) ${by}
      order by key, (workspace_uid is null), id desc
    )
    select v.key, (array_agg(v.description order by v.created_at desc, v.version desc))[1] as description,
      max(v.version) filter (where v.version = c.version and v.state = 'approved') as serving,
      bool_and(v.state = 'retired') as "isRetired"
    from model_version v left join chosen c on c.key = v.key
    group by v.key
  `.execute(em.getKysely());
  return new Map(rows.map((row) => [row.key, row]));
}

/** The versions of a built-in model and the history of its active alias, newest first. */
export type RegisteredHistory = { versions: ModelVersion[]; aliases: ModelAlias[] };

/** Returns the history of a built-in model: the choices of the platform and of the workspace. */
export async function registeredHistory(em: Em, key: string, workspace: string): Promise<RegisteredHistory> {
  const versions = await em.find(
    ModelVersion,
    { key },
    { orderBy: { createdAt: 'desc', version: 'desc' }, limit: HISTORY_MAX },
  );
  const aliases = await em.find(
    ModelAlias,
    { key, alias: 'active', workspaceUid: { $in: [null, workspace] } },
    { orderBy: { id: 'desc' }, limit: HISTORY_MAX },
  );
  return { versions, aliases };
}
