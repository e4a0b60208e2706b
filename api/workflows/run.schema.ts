import Type from 'typebox';
import { prefixes } from '#lib/core/prefix.ts';
import { Closed, InstantOf, Minor, Nullable, Sha256Of, Uid } from '#lib/core/schema.ts';
import { stepStates, workflowRunStates } from '#lib/workflows/run-states.ts';
import { WorkflowReference } from './workflow-studio/admission.schema.ts';

const ErrorCode = Type.String({
  pattern: '^[a-z]+(_[a-z0-9]+)*$',
  maxLength: 64,
  description: 'Stable word for programs.',
  examples: ['gate_closed'],
});

const WorkflowStepResource = Closed(
  {
    key: Type.String({
      pattern: '^[a-z][a-z0-9_-]{0,39}$',
      description: 'The step; `admission-approval` where the policies ask for an approval first.',
      examples: ['forecast'],
    }),
    state: Type.Enum([...stepStates], { description: 'Where it stands.' }),
    attempts: Type.Integer({ minimum: 0, maximum: 1_000, description: 'How often it was begun.' }),
    run_uid: Nullable(
      Type.String({
        pattern: '^[a-z]{3}_[0-7][0-9A-HJKMNP-TV-Z]{25}$',
        examples: ['fct_01K8XQ5W3ZJ6T9R2M4N7P0QABC'],
      }),
      'The run that its latest attempt asked for. Null of other steps.',
    ),
    started_at: Nullable(InstantOf('When it began.'), 'When it began; null before.'),
    ended_at: Nullable(InstantOf('When it ended.'), 'When it ended; null before.'),
    error_code: Nullable(
      ErrorCode,
      'Why it failed, or its latest attempt did. Null where nothing went wrong.',
    ),
  },
  { title: 'WorkflowStep', description: 'A step of a run of a workflow.' },
);

export const WorkflowRunResource = Closed(
  {
    uid: Uid(prefixes.workflowRun, 'The run.'),
    workflow: WorkflowReference,
    state: Type.Enum([...workflowRunStates], { description: 'Where it stands.' }),
    admission_uid: Uid(prefixes.workflowAdmission, 'The decision that it was started by.'),
    created_at: InstantOf('When it was started.'),
    started_at: Nullable(InstantOf('When its first step began.'), 'When its first step began; null before.'),
    ended_at: Nullable(InstantOf('When it ended.'), 'When it ended; null before.'),
    steps: Type.Array(WorkflowStepResource, { maxItems: 51, description: 'In the order of the definition.' }),
    cost: Nullable(
      Closed(
        {
          currency: Type.String({ pattern: '^[A-Z]{3}$', description: 'ISO 4217.', examples: ['EUR'] }),
          metered_minor: Minor('In minor units, rounded half to even.'),
          metered_micro: Minor('In millionths of the major unit.'),
          is_floor: Type.Boolean({ description: 'Whether a part of it had no price.' }),
        },
        { description: 'What its steps computed, by the rate at the end of each.' },
      ),
      'What its steps computed, by the rate at the end of each. Null without a rate, or in several currencies.',
    ),
    inputs_hash: Sha256Of('The digest of the workflow, the application and the parameters.'),
    outputs_hash: Nullable(
      Sha256Of('The hashes of the outputs of its steps, by key.'),
      'SHA-256 of the RFC 8785 form of the hashes of the outputs of its steps, by key. Null before it has succeeded.',
    ),
    error: Nullable(
      Closed({ code: ErrorCode }, { description: 'Why it ended without success.' }),
      'Why it ended without success. Null where nothing went wrong.',
    ),
  },
  { title: 'WorkflowRun', description: 'A run of a workflow.' },
);
