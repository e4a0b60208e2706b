import { instantOf } from '#lib/core/clock.ts';
import { newUid } from '#lib/core/id.ts';
import { prefixes } from '#lib/core/prefix.ts';
import { canonicalHash } from '#lib/core/seal.ts';
import type { Em, Tenant } from '#lib/database/base.ts';
import { defineCommand, personOf, type Circumstances, type RefusalCode } from '#lib/governance/command.ts';
import { runs } from '#lib/runs.ts';
import { knownPlace, unknownWorkspace } from '#lib/access/known-place.query.ts';
import { Person } from '#lib/access/person.entity.ts';
import {
  ADMISSION_MINUTES,
  decideAdmission,
  isAdmitted,
  type AdmissionDecision,
  type AdmissionFacts,
  type AdmissionTrigger,
} from './admission.ts';
import { applicationFacts } from '#lib/access/application-facts.query.ts';
import { askPolicies, type PolicyAnswer } from './ask-policies.query.ts';
import { scopesOf, undeclaredRunsOf } from './definition.ts';
import { inputsHash } from './inputs-hash.ts';
import type { ParameterValues } from './parameters.ts';
import {
  checkGiven,
  newestVersion,
  notRunnable,
  publishedVersion,
  readRunnable,
  type Runnable,
} from './version.query.ts';
import { WorkflowAdmission } from './workflow-admission.entity.ts';
import type { WorkflowVersion } from './workflow-version.entity.ts';

type Input = Tenant & {
  key: string;
  application: string;
  parameters: Readonly<Record<string, unknown>>;
  /**
   * For a scheduled start: uid of the person who set the schedule. Undefined if the person who makes the request starts
   * the run.
   */
  scheduledBy?: string;
};

type RunnableFacts = {
  uid: string;
  version: WorkflowVersion;
  parameters: ParameterValues;
  rule: AdmissionFacts;
  policy: PolicyAnswer;
  begunMs: number;
};
type Facts = RunnableFacts | Extract<Runnable, { ok: false }>;

/** The recorded decision on a start. */
export type Admission = Omit<
  WorkflowAdmission,
  'workspaceUid' | 'environment' | 'evaluatedMs' | 'decisionHash'
> & { decisionHash: string };

type Admitted = { admission: Admission; version: WorkflowVersion; parameters: ParameterValues };

export type AdmissionVerdict =
  | ({ ok: true } & Admitted)
  | ({ ok: false; code: Extract<AdmissionDecision, `${string}denied`> } & Admitted)
  | Extract<Runnable, { ok: false }>;

/**
 * Decides whether a run may start, and records the decision, including a denial. If the policies cannot be read, a
 * denial is recorded. The admission must be committed before a run starts from it.
 */
export const admitRun = defineCommand<Input>()({
  find: knownPlace,
  unknown: 'workspace_unknown',
  lock: async () => undefined,
  facts: (em, _locked, input, at) => readFacts(em, input, at),
  decide(facts, input, at): AdmissionVerdict {
    if ('code' in facts) return facts;
    const { version, parameters } = facts;
    const admission = admissionOf(facts, input, at);
    const admitted = { admission, version, parameters };
    const { decision } = admission;
    if (isAdmitted(decision)) return { ok: true, ...admitted };
    return { ok: false, code: decision as 'denied', ...admitted };
  },
  async write(em, facts, { admission }, { place }) {
    keepAdmission(em, facts as RunnableFacts, admission, place);
    return { result: undefined };
  },
  async writeRefusal(em, facts, verdict, { place }) {
    if ('admission' in verdict) keepAdmission(em, facts as RunnableFacts, verdict.admission, place);
    return [];
  },
  entry(_facts, verdict) {
    if (!('admission' in verdict)) return undefined;
    const { uid, policyDecisionUid, decisionHash, decision } = verdict.admission;
    const { key, version } = verdict.version;
    return {
      op: 'workflow.admission_decided',
      subject: { type: 'workflow_admission', uid },
      ...(policyDecisionUid ? { decision: policyDecisionUid } : {}),
      afterHash: decisionHash,
      details: { workflow: key, version, decision },
    };
  },
  refusals: {
    ...unknownWorkspace,
    ...notRunnable,
    denied: 'The start of the run was denied.',
    not_evaluated_denied: 'The policies could not be evaluated, so the run is denied.',
  } satisfies Record<RefusalCode<AdmissionVerdict> | 'workspace_unknown', string>,
});

/**
 * Reads the facts of an admission. Facts that the transaction has already read are read again, because a schedule
 * reuses its entity manager.
 */
async function readFacts(em: Em, input: Input, at: Circumstances): Promise<Facts> {
  const { place, now } = at;
  const begunMs = performance.now();
  const found = await (input.scheduledBy === undefined ? readRunnable : readScheduled)(
    em,
    input.key,
    input.parameters,
  );
  if (!found.ok) return found;
  const { version, parameters } = found;
  const uid = newUid(prefixes.workflowAdmission);
  const { application } = input;
  const person = await em.findOne(Person, { uid: requesterOf(input, at) }, { refresh: true });
  const policy = await askPolicies(em, { place, admission: uid, version, application, now });
  const rule = {
    ...(await applicationFacts(em, application, scopesOf(version.definition, runs))),
    undeclaredRuns: undeclaredRunsOf(version.definition, runs),
    isPublished: version.state === 'published',
    isPersonActive: person?.state === 'active',
    areParametersValid: !('areInvalid' in found && found.areInvalid),
    answer: policy && { effect: policy.effect, graphs: policy.graphs },
  };
  return { uid, version, parameters, rule, policy, begunMs };
}

/**
 * Reads the facts of a scheduled start. If the start is not possible, a denial is recorded. The denial names the newest
 * version if no version is published.
 */
async function readScheduled(em: Em, key: string, given: Readonly<Record<string, unknown>>) {
  const version = (await publishedVersion(em, key)) ?? (await newestVersion(em, key))!;
  const checked = await checkGiven(em, version, given);
  const parameters = checked.ok ? checked.values : (given as ParameterValues);
  return { ok: true as const, version, parameters, areInvalid: !checked.ok };
}

function requesterOf({ scheduledBy }: Input, at: Pick<Circumstances, 'actor'>): string {
  return scheduledBy ?? personOf(at);
}

function admissionOf(
  { uid, version, parameters, rule, policy }: RunnableFacts,
  input: Input,
  at: Circumstances,
): Admission {
  const { now } = at;
  const { application } = input;
  const trigger: AdmissionTrigger = input.scheduledBy === undefined ? 'manual' : 'schedule';
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
    requestedBy: { kind: 'person' as const, uid: requesterOf(input, at) },
    ...decideAdmission(rule),
    policyDecisionUid: policy?.uid ?? null,
    policySetHash: policy?.setHash ?? null,
    inputsHash: inputsHash({ version, application, parameters }),
  };
  const decisionHash = canonicalHash({
    ...decided,
    at: decided.at.toISOString(),
    expiresAt: decided.expiresAt.toISOString(),
  });
  return { ...decided, decisionHash };
}

function keepAdmission(
  em: Em,
  { begunMs }: RunnableFacts,
  admission: Admission,
  { workspace, environment }: Tenant,
): void {
  const evaluatedMs = Math.round((performance.now() - begunMs) * 1_000) / 1_000;
  em.create(WorkflowAdmission, { workspaceUid: workspace, environment, ...admission, evaluatedMs });
}
