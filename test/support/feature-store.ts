import { sql } from 'kysely';
import { newUid } from '#lib/core/id.ts';
import { prefixes } from '#lib/core/prefix.ts';
import type { Clock } from '#lib/core/clock.ts';
import { defineFeature, type DefineRequest } from '#lib/data/feature/define-feature.command.ts';
import { governWithin } from '#lib/governance/govern.ts';
import { materialise } from '#lib/data/feature/materialise.query.ts';
import type { Mode } from '#lib/data/feature/materialisation.write.ts';
import { findMaterialisable } from '#lib/data/feature/version.query.ts';
import type { ImportDatabase } from './import-database.ts';

/** Creates a person of the workspace who defines features. */
export async function definer(database: ImportDatabase, workspace: string): Promise<string> {
  const uid = newUid(prefixes.person);
  await database.operate((em) =>
    sql`
      insert into person (uid, workspace_uid, name, email, roles, state, created_at)
      values (${uid}, ${workspace}, 'Ann', ${`${uid}@example.com`}, '{owner}', 'active', now())
    `.execute(em.getKysely()),
  );
  return uid;
}

/** Defines a feature over a dataset, and expects that the definition is accepted. */
export async function define(
  database: ImportDatabase,
  {
    by,
    ...given
  }: Pick<DefineRequest, 'workspace' | 'dataset' | 'key' | 'expression'> &
    Partial<DefineRequest> & { by: string },
): Promise<void> {
  const definition = {
    entityType: 'instrument',
    unit: 'ratio',
    frequency: 'monthly',
    maxAgeDays: 40,
    description: 'A test.',
    ...given,
  } as const;
  const outcome = await database.operate((em) =>
    governWithin(em, defineFeature, definition, {
      actor: { kind: 'person', uid: by },
      place: { workspace: given.workspace },
      clock: { now: () => new Date('2021-01-01T00:00:00Z') },
    }),
  );
  if (!outcome.ok) throw new Error(outcome.detail);
}

/** Materialises the latest version of a feature with the operator's role. */
export async function computeValues(
  database: ImportDatabase,
  workspace: string,
  key: string,
  { mode, clock }: { mode: Mode; clock: Clock },
) {
  const version = await database.operate((em) => findMaterialisable(em, { workspace, key }));
  return materialise(database.operate, version!, { mode, clock });
}

/**
 * Returns the values of a feature for every event: `entity event | moment value, ...`. There is one `moment
 * value` for each change of the value.
 */
export function readSteps(database: ImportDatabase, workspace: string, key: string): Promise<string[]> {
  return database.texts(sql<{ text: string }>`
    with latest as (
      select distinct on (x.entity, x.event_time, x.known_at) x.entity, x.event_time, x.known_at, x.value
      from feature_value x
      join feature_version v on v.id = x.feature_version_id
      join feature f on f.uid = v.feature_uid
      where f.workspace_uid = ${workspace} and f.key = ${key}
      order by x.entity, x.event_time, x.known_at, x.revision desc
    ),
    changes as (
      select *, lag(value) over (partition by entity, event_time order by known_at) as before from latest
    )
    select entity || ' ' || (event_time at time zone 'utc')::date || ' | ' || string_agg(
      to_char(known_at at time zone 'utc', 'YYYY-MM-DD HH24:MI ') || coalesce(value::text, '-'), ', ' order by known_at
    ) as text
    from changes where value is distinct from before group by entity, event_time order by entity, event_time
  `);
}
