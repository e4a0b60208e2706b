import type { Em, Tenant } from '#lib/database/base.ts';
import { Workspace } from '#lib/access/workspace.entity.ts';
import type { Authority, AuthorityBody } from '../../authority/authority-body.ts';
import { coveringAuthority, type AuthorityRefusal } from '../../delegations/approval.ts';
import { readPowers } from '../../delegations/approval-powers.query.ts';
import { heldAuthorities, type Powers } from '../../delegations/support.ts';
import {
  uncoveredBatch,
  useAt,
  type BatchDecision,
  type Gross,
  type PastDecision,
} from './batch-authority.ts';
import { measuredOf } from './controls.ts';
import { OrderBatch } from './order-batch.entity.ts';
import { acquireNamedLock } from '#lib/governance/named-lock.query.ts';

export type BatchAuthority =
  | { ok: true; uid: string }
  | { ok: false; code: AuthorityRefusal; detail: string };

export type AuthorityQuestion = BatchDecision & {
  tenant: Tenant;
  batch: string;
  person: string;
  now: Date;
};

/**
 * Returns the authority by which a person can decide about a batch now, or the reason why no authority permits the
 * decision. The caller's transaction must hold the lock of `lockDecisions`.
 */
export async function authorityFor(em: Em, question: AuthorityQuestion): Promise<BatchAuthority> {
  const { tenant, now } = question;
  const powers = await readPowers(em, tenant, now);
  return coveredBy(em, powers, question, [...powers.authorities.values()], now);
}

/**
 * Returns whether the authority that approved a batch, or a later version of this authority, still covers the
 * approval. Limits per day and month are checked for the day and month of the approval.
 */
export async function approvalAuthority(
  em: Em,
  { approvedByUid, approvedAt, approvedAuthorityUid, uid: batch }: OrderBatch,
  { tenant, gross, now }: Pick<AuthorityQuestion, 'tenant' | 'gross' | 'now'>,
): Promise<BatchAuthority> {
  const powers = await readPowers(em, tenant, now);
  const stood = powers.authorities.get(approvedAuthorityUid!);
  const versions = [...powers.authorities.values()].filter(({ key }) => key === stood?.key);
  const question = { tenant, batch, person: approvedByUid!, capability: 'approve', gross, now } as const;
  return coveredBy(em, powers, question, versions, approvedAt!);
}

async function coveredBy(
  em: Em,
  powers: Powers<Authority>,
  { tenant, batch, person, capability, gross }: AuthorityQuestion,
  authorities: readonly Authority[],
  at: Date,
): Promise<BatchAuthority> {
  const { timeZone } = await em.findOneOrFail(Workspace, { uid: tenant.workspace }, { filters: false });
  const past = await pastDecisions(em, powers, { tenant, batch, capability, at });
  const keys = new Set(authorities.map(({ key }) => key));
  const held = [...(powers.persons.has(person) ? keys : [])].flatMap((key) => {
    const versions = authorities.filter((each) => each.key === key).map((each) => [each.uid, each] as const);
    const use = useAt(past.get(key) ?? [], at, timeZone);
    const uncovered = (body: AuthorityBody) => uncoveredBatch(body, { capability, gross }, use);
    return heldAuthorities({ ...powers, authorities: new Map(versions) }, person, uncovered);
  });
  const covering = coveringAuthority(held);
  if ('uid' in covering) return { ok: true, uid: covering.uid };
  const bounds = (covering.failed ?? []).map(
    ({ path, op, expected, actual }) =>
      `${path}: requires ${op} ${JSON.stringify(expected)}, has ${JSON.stringify(actual)}`,
  );
  return { ok: false, code: covering.code, detail: bounds.join('; ') };
}

/**
 * Half the width of a range around an instant, in milliseconds. The range contains the whole month of the instant in
 * every time zone.
 */
const AROUND_MS = 32 * 86_400_000;

/**
 * Returns the past decisions that were made around an instant under the authorities of an environment, by authority
 * key. Cancelled batches and the batch to be decided are left out.
 */
async function pastDecisions(
  em: Em,
  { authorities }: Powers<Authority>,
  {
    tenant,
    batch,
    capability,
    at,
  }: Pick<AuthorityQuestion, 'tenant' | 'batch' | 'capability'> & { at: Date },
): Promise<Map<string, PastDecision[]>> {
  const around = { $gt: new Date(at.getTime() - AROUND_MS), $lt: new Date(at.getTime() + AROUND_MS) };
  const decided = capability === 'approve' ? { approvedAt: around } : { releasedAt: around };
  const found = await em.find(
    OrderBatch,
    {
      workspaceUid: tenant.workspace,
      environment: tenant.environment,
      uid: { $ne: batch },
      state: { $ne: 'cancelled' },
      ...decided,
    },
    { filters: false, refresh: true, orderBy: { uid: 'asc' } },
  );
  const past = new Map<string, PastDecision[]>();
  for (const { approvedAuthorityUid, approvedAt, releasedAuthorityUid, releasedAt, controls } of found) {
    const [uid, when] =
      capability === 'approve' ? [approvedAuthorityUid, approvedAt] : [releasedAuthorityUid, releasedAt];
    const key = authorities.get(uid!)!.key;
    const gross: Gross[] = measuredOf(controls, 'gross_notional');
    past.set(key, [...(past.get(key) ?? []), { at: when!, gross }]);
  }
  return past;
}

/**
 * Serializes the decisions about the batches of an environment until the end of the transaction. Together,
 * the decisions must stay within the limits per day and month of an authority.
 */
export async function lockDecisions(em: Em, { workspace, environment }: Tenant): Promise<void> {
  const key = `batch decisions ${workspace} ${environment}`;
  await acquireNamedLock(em, key);
}
