import { LockMode } from '@mikro-orm/core';
import { sql } from 'kysely';
import { appendAudit } from '#lib/audit/audit.write.ts';
import type { Environment, Em, Tenant } from '#lib/database/base.ts';
import { lockControl } from '#lib/governance/governed/control-lock.query.ts';
import { GovernedRecord } from '#lib/governance/governed/governed-record.entity.ts';
import type { VoidReason } from './approval.ts';
import { Delegation, DelegationApproval } from './delegation.entity.ts';
import { outdatedTerms } from './outdated-terms.query.ts';
import { readPowers } from './approval-powers.query.ts';
import { supportOf, type Powers } from './support.ts';

/**
 * Suspends every active delegation that has lost its support, in the same transaction as the change that removes the
 * support. The support of a delegation is its machine identity, the records that its terms name, the ceilings of its
 * terms, and the records behind its votes. The votes of the delegation become void: a suspended delegation needs full
 * re-approval before it is active again.
 */
export async function suspendUnsupported(em: Em, tenant: Tenant, now: Date): Promise<string[]> {
  await em.flush();
  const place = { workspaceUid: tenant.workspace, environment: tenant.environment };
  const active = await em.find(
    Delegation,
    { ...place, state: 'activated' },
    { filters: false, refresh: true, orderBy: { uid: 'asc' }, lockMode: LockMode.PESSIMISTIC_WRITE },
  );
  if (!active.length) return [];
  const powers = await readPowers(em, tenant, now);
  const suspended: string[] = [];
  for (const delegation of active) {
    const lost = await lostSupport(em, tenant, powers, delegation);
    if (!lost) continue;
    await suspendDelegation(em, delegation, lost.reason, now);
    await appendAudit(
      em,
      {
        at: now,
        op: 'delegation.suspended',
        actor: { kind: 'system' },
        subject: { type: 'delegation', uid: delegation.uid },
        details: lost,
      },
      tenant,
    );
    suspended.push(delegation.uid);
  }
  return suspended;
}

/**
 * Suspends those delegations of one tenant that lost their support because time passed, or because of a change
 * that did not check them. Runs in the caller's transaction. A lock prevents other decisions in the workspace
 * until the transaction ends.
 */
export async function suspendLapsed(em: Em, tenant: Tenant, now: Date): Promise<string[]> {
  const { rows } = await sql`
    select from delegation where workspace_uid = ${tenant.workspace} and environment = ${tenant.environment}
      and state = 'activated' and (support_ends(uid, ${now}) <= ${now} or not terms_stand(uid)) limit 1`.execute(
    em.getKysely(),
  );
  if (!rows.length) return [];
  await lockControl(em, tenant.workspace, 'change');
  return suspendUnsupported(em, tenant, now);
}

type Loss = {
  reason: VoidReason | 'identity_not_active' | 'terms_no_longer_valid';
  /** The terms that are no longer valid. */
  outdated?: string[];
};

async function lostSupport(
  em: Em,
  tenant: Tenant,
  powers: Powers,
  delegation: Delegation,
): Promise<Loss | undefined> {
  const plain = { filters: false, refresh: true } as const;
  const identity = await em.findOneOrFail(GovernedRecord, { uid: delegation.identityUid }, plain);
  if (identity.state !== 'active') return { reason: 'identity_not_active' };
  const outdated = await outdatedTerms(em, tenant, delegation.terms, identity.key);
  if (outdated.length) {
    return { reason: 'terms_no_longer_valid', outdated: outdated.map(({ pointer }) => pointer.slice(1)) };
  }
  const votes = await em.find(DelegationApproval, { delegationUid: delegation.uid, state: 'counted' }, plain);
  for (const vote of votes) {
    const support = supportOf(powers, delegation.terms, vote);
    if (support !== 'holds') return { reason: support };
  }
  return undefined;
}

/** Suspends a locked delegation, and voids the votes that activated it. */
export async function suspendDelegation(
  em: Em,
  delegation: Delegation,
  reason: string,
  now: Date,
): Promise<void> {
  em.assign(delegation, { state: 'suspended', stateReason: reason });
  const votes = await em.find(
    DelegationApproval,
    { delegationUid: delegation.uid, state: 'counted' },
    { filters: false },
  );
  for (const vote of votes) {
    em.assign(vote, { state: 'voided', voidReason: 'delegation_suspended', voidedAt: now });
  }
  await em.flush();
}

/**
 * Suspends the delegations that have lost their support in both environments of a workspace. Used for changes of
 * persons, who belong to both environments.
 */
export async function suspendUnsupportedEverywhere(em: Em, workspace: string, now: Date): Promise<string[]> {
  const suspended: string[] = [];
  for (const environment of ['sandbox', 'production'] as const satisfies readonly Environment[]) {
    suspended.push(...(await suspendUnsupported(em, { workspace, environment }, now)));
  }
  return suspended;
}
