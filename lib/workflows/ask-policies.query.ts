import { sql } from 'kysely';
import type { Em, Tenant } from '#lib/database/base.ts';
import { localTime } from '#lib/governance/policy/local-time.ts';
import { policiesInForce } from '#lib/governance/policy/policies-in-force.query.ts';
import type { PolicyEffect } from '#lib/governance/policy/policy.ts';
import { decide } from '#lib/governance/policy/policy-decision.write.ts';
import { Workspace } from '#lib/access/workspace.entity.ts';
import type { WorkflowVersion } from './workflow-version.entity.ts';

type Question = {
  place: Tenant;
  admission: string;
  version: WorkflowVersion;
  application: string;
  now: Date;
};

/** The decision of the policies; null if the policies could not be evaluated. */
export type PolicyAnswer = {
  uid: string;
  setHash: string;
  effect: PolicyEffect;
  /** The approval graphs that the obligations of the decision name. */
  graphs: (string | null)[];
} | null;

/**
 * Evaluates the policies on the start of a run, and records the decision. If the policies cannot be evaluated, nothing
 * is written.
 */
export async function askPolicies(
  em: Em,
  { place, admission, version, application, now }: Question,
): Promise<PolicyAnswer> {
  const { workspace, environment } = place;
  await sql`savepoint asked`.execute(em.getKysely());
  try {
    const { timeZone } = await em.findOneOrFail(Workspace, { uid: workspace });
    const requested = await decide(em, {
      tenant: place,
      policies: await policiesInForce(em, place),
      subject: { type: 'workflow_admission', uid: admission },
      at: now,
      input: {
        decision_point: 'workflow_admission',
        environment,
        now: now.toISOString(),
        ...localTime(now, timeZone),
        // The action in the policy input. Policies whose scope names other actions do not apply.
        action: 'workflow.run',
        risk_tier: version.definition.risk_tier,
        'application.uid': application,
        'workflow.key': version.key,
        'workflow.has_effects': false,
        'workflow.connectors': [],
      },
    });
    await sql`release savepoint asked`.execute(em.getKysely());
    const graphs = requested.explanation.obligations.map(({ approval_graph_key: graph }) => graph);
    return { uid: requested.uid, setHash: requested.policySetHash, effect: requested.effect, graphs };
  } catch {
    await sql`rollback to savepoint asked`.execute(em.getKysely());
    return null;
  }
}
