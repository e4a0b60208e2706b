import { sql } from 'kysely';
import { newUid } from '#lib/core/id.ts';
import { prefixes } from '#lib/core/prefix.ts';
import { canonicalJson } from '#lib/core/seal.ts';
import { defer, type Em, type Tenant } from '#lib/database/base.ts';
import { compilePolicies, type PolicySet } from './evaluate.ts';
import type { PolicyInput } from './fields.ts';
import { PolicyDecision, PolicySetRecord } from './policy-decision.entity.ts';
import { inputHash, normalPolicy, policySetHash } from './policy-hash.ts';
import { decidePolicies, type Deciding } from './shadow.ts';

export type DecisionRequest = {
  tenant: Tenant;
  policies: Deciding;
  input: PolicyInput;
  /** The subject of the decision, such as a delegation. */
  subject: { type: string; uid: string };
  at: Date;
};

/**
 * Evaluates the policies, and records the decision with its input and its policies in the caller's transaction. If that
 * transaction is rolled back, the decision is not recorded either. A deny that must be recorded is therefore returned
 * and not thrown.
 */
export async function decide(em: Em, requested: DecisionRequest): Promise<PolicyDecision> {
  const { tenant, policies, input, subject, at } = requested;
  const { decision, shadow } = decidePolicies(policies, input);
  await keepSets(em, tenant, policies, at);
  const record = em.create(
    PolicyDecision,
    {
      uid: newUid(prefixes.policyDecision),
      workspaceUid: tenant.workspace,
      environment: tenant.environment,
      at,
      subjectType: subject.type,
      subjectUid: subject.uid,
      effect: decision.effect,
      policySetHash: decision.policy_set_hash,
      input,
      inputHash: decision.input_hash,
      explanation: decision,
      shadowSetHash: policies.shadow?.hash ?? null,
      shadow,
    },
    { persist: false },
  );
  await defer(
    em,
    sql`
      insert into policy_decision (uid, workspace_uid, environment, at, subject_type, subject_uid, effect,
        policy_set_hash, input, input_hash, explanation, shadow_set_hash, shadow)
      values (${record.uid}, ${tenant.workspace}, ${tenant.environment}, ${at}, ${subject.type}, ${subject.uid},
        ${record.effect}, ${record.policySetHash}, ${JSON.stringify(input)}::jsonb, ${record.inputHash},
        ${JSON.stringify(decision)}::jsonb, ${record.shadowSetHash ?? null},
        ${shadow === null ? null : JSON.stringify(shadow)}::jsonb)`,
  );
  return record;
}

/** Stores the evaluated sets that are not stored yet. The check sends only the hashes, because policies are large. */
async function keepSets(em: Em, tenant: Tenant, { enforced, shadow }: Deciding, at: Date): Promise<void> {
  const place = `${tenant.workspace} ${tenant.environment}`;
  const sets = (shadow ? [enforced, shadow] : [enforced]).filter(
    ({ hash }) => !keptSets.has(`${place} ${hash}`),
  );
  if (sets.length === 0) return;
  const { rows } = await sql<{ hash: string }>`
    select hash from policy_set
    where workspace_uid = ${tenant.workspace} and environment = ${tenant.environment}
      and hash = any(${sets.map(({ hash }) => hash)})`.execute(em.getKysely());
  const kept = new Set(rows.map(({ hash }) => hash));
  for (const set of sets) {
    if (kept.has(set.hash)) remember(`${place} ${set.hash}`);
    else await keepSet(em, tenant, set, at);
  }
}

/**
 * Sets that were found stored. Stored sets are never deleted. A decision whose set is missing nevertheless, after a restore
 * of older data, is refused by the foreign key of the decision.
 */
const keptSets = new Set<string>();
const KEPT_SETS_MAX = 10_000;

function remember(name: string): void {
  if (keptSets.size >= KEPT_SETS_MAX) keptSets.clear();
  keptSets.add(name);
}

async function keepSet(em: Em, tenant: Tenant, set: PolicySet, at: Date): Promise<void> {
  const policies = JSON.stringify(set.policies.map(normalPolicy));
  await sql`
    insert into policy_set (workspace_uid, environment, hash, policies, created_at)
    values (${tenant.workspace}, ${tenant.environment}, ${set.hash}, ${policies}::jsonb, ${at})
    on conflict do nothing`.execute(em.getKysely());
}

export type Replay = {
  uid: string;
  intact: boolean;
  /** The names of the parts that differ from the recorded decision or do not match their hash. */
  differences: string[];
  recorded: PolicyDecision;
};

/**
 * Repeats a recorded decision from its record alone: the stored input, and the policies with the stored hash. Searches
 * all tenants that the transaction may read. Returns undefined if the decision does not exist.
 */
export async function replayDecision(em: Em, uid: string): Promise<Replay | undefined> {
  const recorded = await em.findOne(PolicyDecision, { uid }, { filters: false });
  if (!recorded) return undefined;
  const { explanation, shadow, effect, input } = recorded;
  const differences: string[] = [];
  const hold = (what: string, one: unknown, other: unknown) => {
    if (canonicalJson(one) !== canonicalJson(other)) differences.push(what);
  };
  const enforced = await setOf(em, recorded, recorded.policySetHash, differences);
  const all =
    recorded.shadowSetHash == null ? null : await setOf(em, recorded, recorded.shadowSetHash, differences);
  if (enforced && all !== undefined) {
    const again = decidePolicies({ enforced, shadow: all }, input);
    hold('effect', effect, again.decision.effect);
    hold('explanation', explanation, again.decision);
    hold('shadow', shadow ?? null, again.shadow);
  }
  hold('input_hash', recorded.inputHash, inputHash(input));
  return { uid, intact: differences.length === 0, differences, recorded };
}

/**
 * Returns the policy set that is stored under a hash; undefined if no set is stored. A missing set, and a set that does
 * not match its hash, are added to `differences`. A set that does not match is returned nevertheless.
 */
async function setOf(
  em: Em,
  { workspaceUid, environment }: PolicyDecision,
  hash: string,
  differences: string[],
): Promise<PolicySet | undefined> {
  const kept = await em.findOne(PolicySetRecord, { workspaceUid, environment, hash }, { filters: false });
  if (!kept) {
    differences.push(`policy_set ${hash} (missing)`);
    return undefined;
  }
  if (policySetHash(kept.policies) !== hash) differences.push(`policy_set ${hash}`);
  return compilePolicies(kept.policies);
}
