import { sql } from 'kysely';
import type { Em, Tenant } from '#lib/database/base.ts';
import { identityLimits } from '../authority/identity.ts';
import { Delegation } from './delegation.entity.ts';
import { isEquivalent, isReplaceable } from './draft.ts';
import { outdatedTerms } from './outdated-terms.query.ts';
import type { DelegationTerms } from './terms.ts';

/**
 * Returns the terms that are no longer valid when a delegation is about to be activated. Checks the records that the
 * terms name, the delegation to be replaced, and the ceiling of the identity. Also checks that no equivalent delegation
 * is active. The ceiling covers all activated and suspended delegations of the identity in the currency of the terms.
 */
export async function outdatedAtActivation(
  em: Em,
  tenant: Tenant,
  delegation: Delegation,
  identityKey: string,
  now: Date,
): Promise<string[]> {
  const { terms, identityUid, uid, replacesUid, state } = delegation;
  const faults = await outdatedTerms(em, tenant, terms, identityKey);
  const outdated = new Set(faults.map(({ pointer }) => pointer.slice(1)));
  await em.tryFlush(Delegation, {});
  const { rows: live } = await sql<{ terms: DelegationTerms }>`
    select terms from delegation
    where identity_uid = ${identityUid} and state in ('activated', 'suspended') and valid_until > ${now}
      and uid <> ${uid} and uid is distinct from ${replacesUid ?? null}`.execute(em.getKysely());
  if (state === 'draft' && replacesUid) {
    const replaced = await em.findOne(Delegation, { uid: replacesUid }, { filters: false, refresh: true });
    if (!isReplaceable(replaced, terms, now)) outdated.add('replaces');
  }
  if (live.some((each) => isEquivalent(each.terms, terms))) outdated.add('equivalent_delegation');
  const limit = (await identityLimits(em, tenant, identityKey)).find(
    ({ currency }) => currency === terms.currency,
  );
  for (const bound of ['per_day_minor', 'per_month_minor'] as const) {
    const all = [...live.map((each) => each.terms), terms].filter(
      ({ currency }) => currency === terms.currency,
    );
    const sum = all.reduce((total, { budgets }) => total + BigInt(budgets[bound]), 0n);
    const max = limit?.[bound];
    if (max !== undefined && max !== null && sum > BigInt(max)) outdated.add('identity_ceiling');
  }
  return [...outdated];
}
