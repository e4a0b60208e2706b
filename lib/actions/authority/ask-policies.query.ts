import type { Em, Tenant } from '#lib/database/base.ts';
import { GovernedRecord } from '#lib/governance/governed/governed-record.entity.ts';
import type { Decision } from '#lib/governance/policy/decision.ts';
import type { PolicyInput } from '#lib/governance/policy/fields.ts';
import { policiesInForce, type PolicyName } from '#lib/governance/policy/policies-in-force.query.ts';
import { decide } from '#lib/governance/policy/policy-decision.write.ts';

/**
 * The decision of the policies. `effect` states whether the action is allowed, after a required approval was
 * taken into account.
 */
export type Answer = { uid: string; effect: 'allow' | 'deny'; decision: Decision };

export type PolicyQuestion = {
  tenant: Tenant;
  subject: { type: string; uid: string };
  /**
   * The approval graph that has approved the action, or whose last vote is being cast; null for an action
   * without a graph.
   */
  graph: string | null;
  input: PolicyInput;
  now: Date;
  /** The names of the policies in force, if the transaction has already read them. */
  policies?: readonly PolicyName[];
};

/**
 * Evaluates the active policies and records the decision, in the caller's transaction. If the policies
 * require approval by a graph, the action is allowed only if `graph` is that graph. Every other decision
 * except `allow` denies the action.
 */
export async function askPolicies(em: Em, question: PolicyQuestion): Promise<Answer> {
  const { tenant, subject, graph, input, now } = question;
  const policies = await policiesInForce(em, tenant, question.policies);
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
  return obligations.every(({ approval_graph_key: requested }) => requested === null || requested === key);
}
