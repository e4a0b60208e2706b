import { LockMode } from '@mikro-orm/core';
import { sql } from 'kysely';
import { newUid } from '#lib/core/id.ts';
import { prefixes } from '#lib/core/prefix.ts';
import { tenantOf, type Em } from '#lib/database/base.ts';
import type { WorkflowDefinition } from './definition.schema.ts';
import { decideVersion, type VersionEvent, type VersionRefusal } from './version-states.ts';
import { WorkflowVersion } from './workflow-version.entity.ts';

export type Proposal = { definition: WorkflowDefinition; digest: string; by: string; now: Date };

/** Writes the next version of a workflow of the em's tenant. It runs when another person has published it. */
export async function proposeVersion(
  em: Em,
  { definition, digest, by, now }: Proposal,
): Promise<WorkflowVersion> {
  const { workspace, environment } = tenantOf(em);
  const { key } = definition;
  await lockWorkflow(em, key);
  const [newest] = await em.find(WorkflowVersion, { key }, { orderBy: { version: 'desc' }, limit: 1 });
  const version = em.create(WorkflowVersion, {
    uid: newUid(prefixes.workflowVersion),
    workspaceUid: workspace,
    environment,
    key,
    version: (newest?.version ?? 0) + 1,
    digest,
    definition,
    state: 'proposed',
    proposedByUid: by,
    publishedByUid: null,
    createdAt: now,
    publishedAt: null,
    endedAt: null,
  });
  await em.flush();
  return version;
}

/** Nobody else proposes or publishes a version of the workflow before the transaction ends. */
async function lockWorkflow(em: Em, key: string): Promise<void> {
  const { workspace, environment } = tenantOf(em);
  const lock = `workflow ${workspace} ${environment} ${key}`;
  await sql`select pg_advisory_xact_lock(hashtextextended(${lock}, 0))`.execute(em.getKysely());
}

export type ChangedVersion =
  | { ok: true; version: WorkflowVersion }
  | { ok: false; code: VersionRefusal; version: WorkflowVersion };

/** Publishes or withdraws a version of the em's tenant. The version that was published before is superseded. */
export async function changeVersion(
  em: Em,
  uid: string,
  { event, by, now }: { event: VersionEvent; by: string; now: Date },
): Promise<ChangedVersion> {
  const { key } = await em.findOneOrFail(WorkflowVersion, { uid });
  await lockWorkflow(em, key);
  const version = await em.findOneOrFail(
    WorkflowVersion,
    { uid },
    { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true },
  );
  const verdict = decideVersion({ state: version.state, proposedBy: version.proposedByUid }, event, by);
  if (!verdict.ok) return { ok: false, code: verdict.code, version };
  if (event === 'publish') {
    await em.nativeUpdate(
      WorkflowVersion,
      { key: version.key, state: 'published' },
      { state: 'superseded', endedAt: now },
    );
    em.assign(version, { publishedByUid: by, publishedAt: now });
  } else version.endedAt = now;
  version.state = verdict.next;
  await em.flush();
  return { ok: true, version };
}
