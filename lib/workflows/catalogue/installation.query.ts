import type { Em, Tenant } from '#lib/database/base.ts';
import { acquireNamedLock } from '#lib/governance/named-lock.query.ts';
import { WorkflowVersion } from '../workflow-version.entity.ts';
import { installationState, type InstallationState } from './installation-states.ts';
import { WorkflowInstallation } from './workflow-installation.entity.ts';

/** An installation with its derived state. */
export type FoundInstallation = { installation: WorkflowInstallation; state: InstallationState };

export type InstallationsQuestion = {
  uid?: string | undefined;
  key?: string | undefined;
  after?: string | undefined;
  limit: number;
};

/** Locks the installations of a workflow key until the transaction ends. */
export async function lockInstallations(
  em: Em,
  { workspace, environment }: Tenant,
  key: string,
): Promise<void> {
  await acquireNamedLock(em, 'workflow installation', workspace, environment, key);
}

/** Lists installations of the current tenant, newest first. */
export async function findInstallations(
  em: Em,
  { uid, key, after, limit }: InstallationsQuestion,
): Promise<FoundInstallation[]> {
  const found = await em.find(
    WorkflowInstallation,
    {
      ...(uid ? { uid } : {}),
      ...(after ? { uid: { $lt: after } } : {}),
      ...(key ? { key } : {}),
    },
    { orderBy: { uid: 'desc' }, limit, refresh: true },
  );
  return withStates(em, found);
}

/** Lists the newest installations of the current tenant. */
export function newestInstallations(em: Em, limit: number): Promise<FoundInstallation[]> {
  return findInstallations(em, { limit });
}

/** Returns the live installations of keys of the current tenant. */
export async function liveInstallations(em: Em, keys: readonly string[]): Promise<FoundInstallation[]> {
  const found = await em.find(
    WorkflowInstallation,
    { key: { $in: [...keys] }, supersededAt: null, removedAt: null },
    { refresh: true },
  );
  return withStates(em, found);
}

/** Returns an installation with its derived state. */
export async function withState(em: Em, installation: WorkflowInstallation): Promise<FoundInstallation> {
  return (await withStates(em, [installation]))[0]!;
}

/** Returns the content of an installation of any workspace. For operators. */
export async function installedContent(
  em: Em,
  uid: string,
): Promise<Pick<WorkflowInstallation, 'key' | 'definition' | 'digest'> | null> {
  return em.findOne(WorkflowInstallation, { uid }, { filters: false });
}

async function withStates(em: Em, found: readonly WorkflowInstallation[]): Promise<FoundInstallation[]> {
  const uids = found.map(({ uid }) => uid);
  const published = await em.find(
    WorkflowVersion,
    { installationUid: { $in: uids }, state: 'published' },
    { fields: ['uid', 'installationUid'] },
  );
  const enabled = new Set(published.map(({ installationUid }) => installationUid));
  return found.map((installation) => ({
    installation,
    state: installationState(installation, enabled.has(installation.uid)),
  }));
}
