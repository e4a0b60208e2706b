import { appendAudit, appendEverywhere, appendWorkspaceAudit } from '#lib/audit/audit.repository.ts';
import type { Actor, AuditEvent } from '#lib/audit/entry.ts';
import { systemClock } from '#lib/core/clock.ts';
import type { Environment, Em } from '#lib/database/base.ts';

/** What an operator did, or was refused, and to what. */
export type Act = Pick<AuditEvent, 'op' | 'subject' | 'refused' | 'decision' | 'details'> & {
  workspace: string;
  /** Left out of what is done to the workspace as a whole: the logs of both environments then have it. */
  environment?: Environment;
  /** The person it was done as; left out where a command names none. */
  by?: string | null | undefined;
};

/**
 * Writes what an operator did into the audit log, in the transaction that does it. A refusal that is recorded must be
 * thrown after the transaction, which it would undo.
 */
export async function record(em: Em, act: Act): Promise<void> {
  const { workspace, environment, by, ...event } = act;
  await em.flush(); // what it is about is written first, or refused
  const actor: Actor = by ? { kind: 'person', uid: by } : { kind: 'system' };
  const told = { ...event, actor, at: systemClock.now() };
  if (environment) await appendAudit(em, told, { workspace, environment });
  else await appendWorkspaceAudit(em, told, workspace);
}

/** As `record`, of what is done to the deployment, which concerns every workspace. */
export function recordEverywhere(em: Em, event: Pick<AuditEvent, 'op' | 'subject'>): Promise<void> {
  return appendEverywhere(em, { ...event, actor: { kind: 'system' }, at: systemClock.now() });
}

/** The place of what belongs to one workspace and environment, and what it is. */
export function ofTenant(type: string, row: { uid: string; workspaceUid: string; environment: Environment }) {
  const { uid, workspaceUid: workspace, environment } = row;
  return { workspace, environment, subject: { type, uid } };
}
