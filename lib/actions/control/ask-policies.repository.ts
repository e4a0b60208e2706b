import type { Em, Tenant } from '#lib/database/orm.ts';
import { GovernedRecord } from '#lib/governance/governed/governed-record.entity.ts';
import { inForce } from '#lib/governance/governed/governed-record.repository.ts';
import type { Decision } from '#lib/governance/policy/decision.ts';
import type { PolicyInput } from '#lib/governance/policy/fields.ts';
import { decide } from '#lib/governance/policy/policy-decision.repository.ts';
import { policyKind, policyOf } from '#lib/governance/policy/policy-kind.ts';
import { partPolicies, type Deciding } from '#lib/governance/policy/shadow.ts';

/** What the policies said, and whether what was asked about may go on. */
export type Answer = { uid: string; effect: 'allow' | 'deny'; decision: Decision };

export type PolicyQuestion = {
  tenant: Tenant;
  subject: { type: string; uid: string };
  /** The graph whose approval it has, or is about to get. */
  graph: string | null;
  input: PolicyInput;
  now: Date;
};

/**
 * Asks the policies in force and records what they said, in the caller's transaction. An approval that they ask for is
 * there when the graph is the one they name; any other answer than allow is a deny.
 */
export async function askPolicies(em: Em, question: PolicyQuestion): Promise<Answer> {
  const { tenant, subject, graph, input, now } = question;
  const policies = await policiesInForce(em, tenant);
  const recorded = await decide(em, { tenant, policies, input, subject, at: now });
  const decision = recorded.explanation;
  const isApproved =
    decision.effect === 'require_approval' && graph !== null && (await isByGraph(em, decision, graph));
  return {
    uid: recorded.uid,
    effect: decision.effect === 'allow' || isApproved ? 'allow' : 'deny',
    decision,
  };
}

async function isByGraph(em: Em, { obligations }: Decision, graph: string): Promise<boolean> {
  const { key } = await em.findOneOrFail(GovernedRecord, { uid: graph }, { filters: false });
  return obligations.every(({ approval_graph_key: asked }) => asked === null || asked === key);
}

/** Versions never change, so that their uids say which set it is. */
const compiled = new Map<string, Deciding>();
const COMPILED_MOST = 200;

/** The policies in force, compiled: those that decide, and with the shadows beside them. */
export async function policiesInForce(em: Em, tenant: Tenant): Promise<Deciding> {
  const records = await inForce(em, policyKind, tenant);
  const name = records.map(({ uid }) => uid).join(' ');
  const known = compiled.get(name);
  if (known) return known;
  const policies = records.map((record) => policyOf(record as unknown as GovernedRecord));
  const deciding = partPolicies(policies);
  if (compiled.size >= COMPILED_MOST) compiled.delete(compiled.keys().next().value!);
  compiled.set(name, deciding);
  return deciding;
}
