import Type, { type Static } from 'typebox';
import { prefixes } from '#lib/core/prefix.ts';
import { Closed, InstantOf, Nullable, Sha256Of, Uid } from '#lib/core/schema.ts';
import { policyEffects } from '#lib/governance/policy/policy.ts';
import { admissionDecisions, admissionTriggers } from '#lib/workflows/admission.ts';
import { WorkflowKey } from '#lib/workflows/definition.schema.ts';

/** The version of a workflow, by its digest. */
export const WorkflowReference = Closed(
  {
    key: WorkflowKey,
    version: Type.Integer({ minimum: 1, maximum: 2_147_483_647, description: 'The version.', examples: [1] }),
    digest: Sha256Of('SHA-256 of the RFC 8785 form of the definition.'),
  },
  { title: 'WorkflowReference', description: 'A version of a workflow.' },
);

const text = (description: string) =>
  Nullable(Type.String({ maxLength: 2_000, examples: ['1'] }), `${description} Null where there is none.`);

export const AdmissionReason = Closed(
  {
    policy_uid: Nullable(
      Uid(prefixes.policy, 'The policy.'),
      'The policy. Null where it is none that stood in the way.',
    ),
    version: Nullable(
      Type.Integer({ minimum: 1, maximum: 2_147_483_647, description: 'Its version.' }),
      'Its version. Null without a policy.',
    ),
    rule_key: text('The rule within its policy.'),
    effect: Nullable(Type.Enum([...policyEffects]), 'What the rule says. Null without one.'),
    code: Type.String({
      pattern: '^[a-z]+(_[a-z0-9]+)*$',
      maxLength: 64,
      description: 'Stable word for programs: the reason of a rule, or what stood in the way.',
      examples: ['scope_missing'],
    }),
    path: text('Where in the rule the condition stands.'),
    expected: text('What the condition asks for, as JSON; `redacted` for who may not read policies.'),
    actual: text('What it met, as JSON; `redacted` for who may not read it.'),
  },
  { title: 'AdmissionReason', description: 'Why it was decided so.' },
);
export type AdmissionReason = Static<typeof AdmissionReason>;

export const AdmissionDecisionResource = Closed(
  {
    uid: Uid(prefixes.workflowAdmission, 'The decision.'),
    at: InstantOf('When it was made.'),
    workflow: WorkflowReference,
    trigger: Type.Enum([...admissionTriggers], {
      description: 'What asked for the run: a person, or the clock by a schedule of that person.',
    }),
    requested_by: Closed(
      { kind: Type.Literal('person', { description: 'A person.' }), uid: Uid(prefixes.person, 'Who.') },
      { description: 'Who asked, or has the clock ask.' },
    ),
    application_uid: Uid(prefixes.application, 'The application whose scopes the steps use.'),
    mode: Type.Literal('enforce', { description: 'It counts. Policies in shadow have no part in it.' }),
    decision: Type.Enum([...admissionDecisions], {
      description:
        'Admitted, with conditions that the run waits for where there are any; denied; or denied since the policies could not be asked.',
    }),
    conditions: Type.Array(
      Closed(
        {
          code: Type.Enum(['approval_required'], { description: 'A person approves before the first step.' }),
        },
        { description: 'What has to happen before the first step.' },
      ),
      { maxItems: 1, description: 'What has to happen before the first step.' },
    ),
    reasons: Type.Array(AdmissionReason, { maxItems: 2_000, description: 'Why it was decided so.' }),
    policy_decision_uid: Nullable(
      Uid(prefixes.policyDecision, 'The decision of the policies.'),
      'The decision of the policies. Null where they could not be asked.',
    ),
    policy_set_hash: Nullable(
      Sha256Of('The policies that were asked.'),
      'The policies that were asked. Null where they could not be.',
    ),
    inputs_hash: Sha256Of('The digest of the workflow, the application and the parameters.'),
    run_uid: Nullable(
      Uid(prefixes.workflowRun, 'The run that it started.'),
      'The run that it started. Null where it started none.',
    ),
    evaluated_ms: Type.Number({ minimum: 0, description: 'How long it took, in milliseconds.' }),
    expires_at: InstantOf('From then on it starts no run.'),
    decision_hash: Sha256Of('SHA-256 of the RFC 8785 form of what was decided about what.'),
  },
  { title: 'AdmissionDecision', description: 'Whether a run of a workflow may start, and why.' },
);
