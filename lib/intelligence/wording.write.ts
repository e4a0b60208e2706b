import { sql } from 'kysely';
import { tenantOf, type Em, type Tenant } from '#lib/database/base.ts';
import { instant } from '#lib/data/as-of.query.ts';
import type { Wording } from './wording.ts';

export type WordingChoice = { connection: string; model: string };

/**
 * The shortest time between two wordings of a section, even if its facts change. After a failure, the next attempt also
 * waits for this time.
 */
const PAUSE = '15 minutes';

/**
 * Returns the workspaces in which a model writes the texts of sections, each with its connection and model.
 * For workers: reads all workspaces.
 */
export async function tenantsWithWording(em: Em): Promise<(Tenant & WordingChoice)[]> {
  const { rows } = await sql<Tenant & WordingChoice>`
    select workspace as workspace, environment, connection, model from (
      select distinct on (workspace_uid, environment) workspace_uid as workspace, environment,
        connection_uid as connection, model
      from summary_wording_choice order by workspace_uid, environment, id desc
    ) newest where connection is not null
  `.execute(em.getKysely());
  return rows;
}

/**
 * Sets the connection and model that write the texts of the workspace's sections. Null means that no model
 * writes texts.
 */
export async function chooseWording(
  em: Em,
  choice: WordingChoice | null,
  { by, now }: { by: string; now: Date },
): Promise<void> {
  const { workspace, environment } = tenantOf(em);
  await sql`
    insert into summary_wording_choice (workspace_uid, environment, connection_uid, model, set_by_uid, set_at)
    values (${workspace}, ${environment}, ${choice?.connection ?? null}, ${choice?.model ?? null}, ${by}, ${now})
  `.execute(em.getKysely());
}

export type Claim = WordingChoice & { section: string; factsHash: string; now: Date };

/**
 * Reserves the right to write the text for the facts of a section. The reservation lasts for `PAUSE`. Returns false if
 * an earlier reservation of the section has not expired, or if the section already has a text for these facts.
 */
export async function claimWording(
  em: Em,
  { section, factsHash, connection, model, now }: Claim,
): Promise<boolean> {
  const { workspace, environment } = tenantOf(em);
  const { rows } = await sql`
    insert into summary_wording as w (section, workspace_uid, environment, facts_hash, claimed_until, connection_uid, model)
    values (${section}, ${workspace}, ${environment}, ${factsHash}, ${now}::timestamptz + ${PAUSE}::interval, ${connection},
      ${model})
    on conflict (workspace_uid, environment, section) do update
      set facts_hash = excluded.facts_hash, claimed_until = excluded.claimed_until, text = null, written_at = null,
        connection_uid = excluded.connection_uid, model = excluded.model
      where w.claimed_until < ${now} and (w.facts_hash <> excluded.facts_hash or w.text is null)
    returning section
  `.execute(em.getKysely());
  return rows.length > 0;
}

/** Stores the text for the facts of a reservation, unless the writing was reserved for newer facts since. */
export async function keepWording(
  em: Em,
  { section, factsHash, text, now }: { section: string; factsHash: string; text: string; now: Date },
): Promise<void> {
  const { workspace, environment } = tenantOf(em);
  await sql`
    update summary_wording set text = ${text}, written_at = ${now}
    where workspace_uid = ${workspace} and environment = ${environment} and section = ${section}
      and facts_hash = ${factsHash}
  `.execute(em.getKysely());
}

/**
 * Returns the stored wordings by the hash of their facts. Returns no wordings if the workspace has turned wording off.
 */
export async function readWordings(em: Em): Promise<ReadonlyMap<string, Wording>> {
  const { workspace, environment } = tenantOf(em);
  const { rows } = await sql<Wording & { facts_hash: string }>`
    select w.facts_hash, w.text, w.model, w.connection_uid, ${instant(sql`w.written_at`)} as written_at
    from summary_wording w
    where w.workspace_uid = ${workspace} and w.environment = ${environment} and w.text is not null
      and exists (
        select from (
          select connection_uid from summary_wording_choice
          where workspace_uid = ${workspace} and environment = ${environment} order by id desc limit 1
        ) newest where connection_uid is not null
      )
  `.execute(em.getKysely());
  return new Map(rows.map(({ facts_hash, ...wording }) => [facts_hash, wording]));
}
