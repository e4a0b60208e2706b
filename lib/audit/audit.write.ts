import { sql } from 'kysely';
import { defer, environments, tenantOf, type Environment, type Em, type Tenant } from '#lib/database/base.ts';
import { bodyOf, type AuditEvent } from './entry.ts';

/**
 * Appends an entry to the audit log of the tenant of `em` or, for operators, of the given tenant. The entry
 * is part of the caller's transaction: if a command throws, its entry is rolled back too. A refusal that must
 * be recorded is therefore returned and not thrown. The entry gets its position in the log tree later, so
 * that writers do not block each other.
 */
export async function appendAudit(em: Em, event: AuditEvent, tenant: Tenant = tenantOf(em)): Promise<void> {
  await append(em, event, tenant.workspace, [tenant.environment]);
}

/**
 * Appends many events to the audit log of the tenant of `em`, in their order, in one statement. Otherwise
 * works like `appendAudit`.
 */
export async function appendAudits(em: Em, events: readonly AuditEvent[]): Promise<void> {
  const { workspace, environment } = tenantOf(em);
  await sql`
    with written as (
      insert into audit_entry (workspace_uid, environment, body)
      select ${workspace}, ${environment}, e.body
      from unnest(${events.map(bodyOf)}::text[]) with ordinality e (body, place) order by e.place
      returning id, workspace_uid, environment
    )
    insert into audit_pending (entry_id, workspace_uid, environment)
    select id, workspace_uid, environment from written
  `.execute(em.getKysely());
}

/**
 * Appends an event about a whole workspace to the logs of both of its environments. Row-level security allows
 * a transaction to write only into its own environment, so the transaction switches to each environment while
 * it writes the entry.
 */
export async function appendWorkspaceAudit(em: Em, event: AuditEvent, workspace: string): Promise<void> {
  const own = em.getFilterParams('tenant') as Partial<Tenant> | undefined;
  if (own?.environment === undefined) return append(em, event, workspace, environments);
  for (const environment of environments) {
    await standIn(em, environment);
    await append(em, event, workspace, [environment]);
  }
  await standIn(em, own.environment);
}

async function standIn(em: Em, environment: Environment): Promise<void> {
  await sql`select set_config('app.environment', ${environment}, true)`.execute(em.getKysely());
}

/**
 * Appends an event about the whole deployment, caused by an operator, to the logs of all workspaces. The log of a workspace
 * that is being moved, or has been moved, ends with the move.
 */
export async function appendEverywhere(em: Em, event: AuditEvent): Promise<void> {
  await sql`
    with written as (
      insert into audit_entry (workspace_uid, environment, body)
      select w.uid, environment, ${bodyOf(event)} from workspace w, unnest(${[...environments]}::text[]) environment
      where not exists (select from workspace_move m where m.workspace_uid = w.uid)
      returning id, workspace_uid, environment
    )
    insert into audit_pending (entry_id, workspace_uid, environment)
    select id, workspace_uid, environment from written
  `.execute(em.getKysely());
}

async function append(
  em: Em,
  event: AuditEvent,
  workspace: string,
  of: readonly Environment[],
): Promise<void> {
  await defer(
    em,
    sql`
    with written as (
      insert into audit_entry (workspace_uid, environment, body)
      select ${workspace}, environment, ${bodyOf(event)} from unnest(${[...of]}::text[]) environment
      returning id, workspace_uid, environment
    )
    insert into audit_pending (entry_id, workspace_uid, environment)
    select id, workspace_uid, environment from written
  `,
  );
}
