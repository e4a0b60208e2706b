import Type, { type Static } from 'typebox';
import { prefixes } from '#lib/core/prefix.ts';
import { Closed, InstantOf, Nullable, Sha256Of, Uid } from '#lib/core/schema.ts';
import { policyEffects } from '#lib/governance/policy/policy.ts';
import { admissionDecisions, admissionTriggers } from '#lib/workflows/admission.ts';
import { WorkflowKey } from '#lib/workflows/definition.schema.ts';

/** The version of a workflow, identified by its digest. */
export const WorkflowReference = Closed(
  {
    key: WorkflowKey,
    version: Type.Integer({ minimum: 1, maximum: 2_147_483_647, description: 'The version.', examples: [1] }),
    digest: Sha256Of('SHA-256 of the RFC 8785 form of the definition.'),
  },
  { title: 'WorkflowReference', description: 'A version of a workflow.' },
);

const text = (description: string) =>
  Nullable(Type.String({ maxLength: 2_000, examples: ['1'] }), `${description} Null if there is none.`);

export const AdmissionReason = Closed(
  {
    policy_uid: Nullable(
      Uid(prefixes.policy, 'The policy.'),
      'The policy; null if the reason is not a rule of a policy.',
    ),
    version: Nullable(
      Type.Integer({ minimum: 1, maximum: 2_147_483_647, description: 'The version of the policy.' }),
      'The version of the policy; null without a policy.',
    ),
    rule_key: text('The rule within its policy.'),
    effect: Nullable(Type.Enum([...policyEffects]), 'The effect of the rule; null if there is no rule.'),
    code: Type.String({
      pattern: '^[a-z]+(_[a-z0-9]+)*$',
      maxLength: 64,
      description: 'Stable code for programs: the reason code of the rule, or the code of another reason.',
      examples: ['scope_missing'],
    }),
    path: text('The path of the condition in the rule.'),
    expected: text(
      'The value that the condition requires, as JSON; `redacted` if the caller may not read policies.',
    ),
    actual: text('The actual value, as JSON; `redacted` if the caller may not read it.'),
  },
  { title: 'AdmissionReason', description: 'A reason for the decision.' },
);
export type AdmissionReason = Static<typeof AdmissionReason>;

export const AdmissionDecisionResource = Closed(
  {
    uid: Uid(prefixes.workflowAdmission, 'The decision.'),
    at: InstantOf('When the decision was made.'),
    workflow: WorkflowReference,
    trigger: Type.Enum([...admissionTriggers], {
      description: 'The trigger of the run: a person, or a schedule that a person set.',
    }),
    requested_by: Closed(
      {
        kind: Type.Literal('person', { description: 'Always a person.' }),
        uid: Uid(prefixes.person, 'The uid of the person.'),
      },
      { description: 'The person who started the run, or who set the schedule.' },
    ),
    application_uid: Uid(prefixes.application, 'The application whose scopes the steps use.'),
    mode: Type.Literal('enforce', {
      description: 'The mode of the policies. Policies in shadow mode have no effect on the decision.',
    }),
    decision: Type.Enum([...admissionDecisions], {
      description:
        'The decision. `admitted`: the run may start, once any conditions are fulfilled. The other values deny the run: because of a rule, for another reason, or because the policies could not be evaluated.',
    }),
    conditions: Type.Array(
      Closed(
        {
          code: Type.Enum(['approval_required'], {
            description: 'The code of the condition: a person must approve before the first step.',
          }),
        },
        { description: 'A condition that must be fulfilled before the first step.' },
      ),
      { maxItems: 1, description: 'The conditions that must be fulfilled before the first step.' },
    ),
    reasons: Type.Array(AdmissionReason, { maxItems: 2_000, description: 'The reasons for the decision.' }),
    policy_decision_uid: Nullable(
      Uid(prefixes.policyDecision, 'The decision of the policies.'),
      'The policy decision; null if the policies could not be evaluated.',
    ),
    policy_set_hash: Nullable(
      Sha256Of('The evaluated policies.'),
      'Hash of the evaluated policies; null if they could not be evaluated.',
    ),
    inputs_hash: Sha256Of('The digest of the workflow, the application and the parameters.'),
    run_uid: Nullable(
      Uid(prefixes.workflowRun, 'The run that it started.'),
      'The run that the admission started; null if there is none.',
    ),
    evaluated_ms: Type.Number({ minimum: 0, description: 'The duration of the evaluation in milliseconds.' }),
    expires_at: InstantOf('When the admission expires. From then on it cannot start a run.'),
    decision_hash: Sha256Of('SHA-256 of the RFC 8785 form of the decision and its subject.'),
  },
  { title: 'AdmissionDecision', description: 'Whether a run of a workflow may start, and why.' },
);
