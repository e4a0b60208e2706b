import { LockMode } from '@mikro-orm/core';
import { knownPlace } from '#lib/access/known-place.query.ts';
import { Workspace } from '#lib/access/workspace.entity.ts';
import type { Em, Tenant } from '#lib/database/base.ts';
import { BenchmarkMembership } from './benchmark-membership.entity.ts';

/** Returns the production environment of a workspace; undefined if the workspace does not exist. */
export function productionOf(em: Em, { workspace }: { workspace: string }): Promise<Tenant | undefined> {
  return knownPlace(em, { workspace, environment: 'production' });
}

/**
 * Locks the workspace, so that its memberships begin and end one after the other. Returns the current membership; null
 * if there is none.
 */
export async function lockMembership(em: Em, { workspace }: Tenant): Promise<BenchmarkMembership | null> {
  await em.findOneOrFail(
    Workspace,
    { uid: workspace },
    { lockMode: LockMode.PESSIMISTIC_WRITE, filters: false },
  );
  return em.findOne(BenchmarkMembership, { leftAt: null }, { refresh: true });
}

/** Returns the memberships of the current tenant, newest first. */
export function listMemberships(em: Em, limit: number): Promise<BenchmarkMembership[]> {
  return em.find(BenchmarkMembership, {}, { orderBy: { uid: 'desc' }, limit });
}

/** Returns the current memberships of all workspaces. For workers. */
export function currentMemberships(em: Em): Promise<BenchmarkMembership[]> {
  return em.find(BenchmarkMembership, { leftAt: null }, { filters: false, orderBy: { workspaceUid: 'asc' } });
}
