import { sql } from 'kysely';
import { appendAudit } from '#lib/audit/audit.repository.ts';
import type { Clock } from '#lib/core/clock.ts';
import { instantOf } from '#lib/core/clock.ts';
import { newUid } from '#lib/core/id.ts';
import { prefixes } from '#lib/core/prefix.ts';
import { canonicalHash } from '#lib/core/seal.ts';
import { tenantOf, type Em } from '#lib/database/base.ts';
import { localTime } from '#lib/governance/policy/local-time.ts';
import { policiesInForce } from '#lib/governance/policy/policies-in-force.repository.ts';
import type { PolicyDecision } from '#lib/governance/policy/policy-decision.entity.ts';
import { decide } from '#lib/governance/policy/policy-decision.repository.ts';
import { Person } from '#lib/workspace/person.entity.ts';
import { Workspace } from '#lib/workspace/workspace.entity.ts';
import { ADMISSION_MINUTES, decideAdmission, isAdmitted, type AdmissionTrigger } from './admission.ts';
import { applicationFacts } from './application-facts.repository.ts';
import { runs } from '#lib/runs.ts';
import { scopesOf } from './definition.ts';
import type { ParameterValues } from './parameters.ts';
import { WorkflowAdmission } from './workflow-admission.entity.ts';
import type { WorkflowVersion } from './workflow-version.entity.ts';

export type AdmissionRequest = {
  version: WorkflowVersion;
  application: string;
  /** The person who asks, or has it asked by the clock. */
  by: string;
  parameters: ParameterValues;
  trigger?: AdmissionTrigger;
  /** Whether the parameters are those that the version takes. */
  areParametersValid?: boolean;
  clock: Clock;
};

/** The hash of what a run is about: the definition that runs, for which application, with which parameters. */
export function inputsHash({
  version,
  application,
  parameters,
}: Pick<AdmissionRequest, 'version' | 'application' | 'parameters'>): string {
  return canonicalHash({ digest: version.digest, application_uid: application, parameters });
}

/**
 * Decides whether a run of the em's tenant may start, and records it, whatever it is. A policy store that fails is a
 * denial, which is recorded as well. The admission must be committed before a run starts by it.
 */
export async function admit(em: Em, request: AdmissionRequest): Promise<WorkflowAdmission> {
  const { version, application, by, clock, trigger = 'manual', areParametersValid = true } = request;
  const { workspace, environment } = tenantOf(em);
  const now = clock.now();
  const uid = newUid(prefixes.workflowAdmission);
  const begun = performance.now();
  const scopes = scopesOf(version.definition, runs);
  const facts = await applicationFacts(em, application, scopes);
  const person = await em.findOne(Person, { uid: by }, { refresh: true });
  const policy = await askOrFail(em, uid, request, now);
  const verdict = decideAdmission({
    isPublished: version.state === 'published',
    isPersonActive: person?.state === 'active',
    areParametersValid,
    ...facts,
    answer:
      policy === undefined
        ? null
        : {
            effect: policy.effect,
            graphs: policy.explanation.obligations.map(({ approval_graph_key: graph }) => graph),
          },
  });
  const decided = {
    uid,
    at: now,
    expiresAt: instantOf(now.getTime() + ADMISSION_MINUTES * 60_000),
    versionUid: version.uid,
    workflowKey: version.key,
    workflowVersion: version.version,
    digest: version.digest,
    applicationUid: application,
    trigger,
    requestedBy: { kind: 'person' as const, uid: by },
    ...verdict,
    policyDecisionUid: policy?.uid ?? null,
    policySetHash: policy?.policySetHash ?? null,
    inputsHash: inputsHash(request),
  };
  const admission = em.create(WorkflowAdmission, {
    workspaceUid: workspace,
    environment,
    ...decided,
    evaluatedMs: Math.round((performance.now() - begun) * 1_000) / 1_000,
    decisionHash: canonicalHash({
      ...decided,
      at: decided.at.toISOString(),
      expiresAt: decided.expiresAt.toISOString(),
    }),
  });
  await em.flush();
  await appendAudit(em, {
    at: now,
    op: 'workflow.admission_decided',
    actor: trigger === 'schedule' ? { kind: 'system' } : { kind: 'person', uid: by },
    subject: { type: 'workflow_admission', uid },
    ...(isAdmitted(verdict.decision) ? {} : { refused: verdict.decision }),
    ...(policy ? { decision: policy.uid } : {}),
    afterHash: admission.decisionHash,
    details: { workflow: version.key, version: version.version, decision: verdict.decision },
  });
  return admission;
}

/** What the policies say; undefined, with nothing of it written, where they cannot be asked. */
async function askOrFail(
  em: Em,
  admission: string,
  { version, application }: AdmissionRequest,
  now: Date,
): Promise<PolicyDecision | undefined> {
  const { workspace, environment } = tenantOf(em);
  const tenant = { workspace, environment };
  await sql`savepoint asked`.execute(em.getKysely());
  try {
    const { timeZone } = await em.findOneOrFail(Workspace, { uid: workspace });
    const asked = await decide(em, {
      tenant,
      policies: await policiesInForce(em, tenant),
      subject: { type: 'workflow_admission', uid: admission },
      at: now,
      input: {
        decision_point: 'workflow_admission',
        environment,
        now: now.toISOString(),
        ...localTime(now, timeZone),
        // Policies whose scope names other actions are thereby not about it.
        action: 'workflow.run',
        risk_tier: version.definition.risk_tier,
        'application.uid': application,
        'workflow.key': version.key,
        'workflow.has_effects': false,
        'workflow.connectors': [],
      },
    });
    await sql`release savepoint asked`.execute(em.getKysely());
    return asked;
  } catch {
    await sql`rollback to savepoint asked`.execute(em.getKysely());
    return undefined;
  }
}
