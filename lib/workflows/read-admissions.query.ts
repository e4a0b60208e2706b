import type { Em } from '#lib/database/base.ts';
import { PolicyDecision } from '#lib/governance/policy/policy-decision.entity.ts';
import type { Decision } from '#lib/governance/policy/decision.ts';
import type { AdmissionDecision } from './admission.ts';
import { WorkflowAdmission } from './workflow-admission.entity.ts';
import { WorkflowRun } from './workflow-run.entity.ts';

/** An admission, with the decision of the policies if they were evaluated, and the run that it started. */
export type FoundAdmission = { admission: WorkflowAdmission; policy: Decision | null; run: string | null };

export type AdmissionsQuestion = {
  decision?: AdmissionDecision | undefined;
  key?: string | undefined;
  since?: Date | undefined;
  after?: string | undefined;
  limit: number;
};

/** Lists decisions on starts of the current tenant's workflows, newest first. */
export async function findAdmissions(em: Em, question: AdmissionsQuestion): Promise<FoundAdmission[]> {
  const { decision, key, since, after, limit } = question;
  const admissions = await em.find(
    WorkflowAdmission,
    {
      ...(after ? { uid: { $lt: after } } : {}),
      ...(decision ? { decision } : {}),
      ...(key ? { workflowKey: key } : {}),
      ...(since ? { at: { $gte: since } } : {}),
    },
    { orderBy: { uid: 'desc' }, limit },
  );
  const decisions = await em.find(
    PolicyDecision,
    { uid: { $in: admissions.flatMap(({ policyDecisionUid: uid }) => uid ?? []) } },
    { fields: ['uid', 'explanation'] },
  );
  const runs = await em.find(
    WorkflowRun,
    { admissionUid: { $in: admissions.map(({ uid }) => uid) } },
    { fields: ['uid', 'admissionUid'] },
  );
  return admissions.map((admission) => ({
    admission,
    policy: decisions.find(({ uid }) => uid === admission.policyDecisionUid)?.explanation ?? null,
    run: runs.find(({ admissionUid }) => admissionUid === admission.uid)?.uid ?? null,
  }));
}
