import type { Em, Tenant } from '#lib/database/orm.ts';
import { coveringAuthority, type AuthorityRefusal } from '../delegation/approval.ts';
import { readPowers } from '../delegation/standing.repository.ts';
import { heldAuthorities } from '../delegation/support.ts';
import { uncoveredBatch, type BatchDecision } from './batch-authority.ts';

export type BatchAuthority =
  { ok: true; uid: string } | { ok: false; code: AuthorityRefusal; detail: string };

/** The authority by which a person decides about a batch now, or why there is none. */
export async function authorityFor(
  em: Em,
  tenant: Tenant,
  person: string,
  decision: BatchDecision,
  now: Date,
): Promise<BatchAuthority> {
  const powers = await readPowers(em, tenant, now);
  const held = heldAuthorities(powers, person, (body) => uncoveredBatch(body, decision));
  const standing = coveringAuthority(held);
  if ('uid' in standing) return { ok: true, uid: standing.uid };
  const bounds = (standing.failed ?? []).map(
    ({ path, op, expected, actual }) =>
      `${path} ${op} ${JSON.stringify(expected)}, and is ${JSON.stringify(actual)}`,
  );
  return { ok: false, code: standing.code, detail: bounds.join('; ') };
}
