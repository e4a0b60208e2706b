import Type from 'typebox';
import { prefixes } from '#lib/core/prefix.ts';
import { Closed, InstantOf, Minor, Nullable, Sha256Of, Uid } from '#lib/core/schema.ts';
import { stepStates, workflowRunStates } from '#lib/workflows/run-states.ts';
import { WorkflowReference } from './workflow-studio/admission.schema.ts';

const ErrorCode = Type.String({
  pattern: '^[a-z]+(_[a-z0-9]+)*$',
  maxLength: 64,
  description: 'Stable code for programs.',
  examples: ['gate_closed'],
});

const WorkflowStepResource = Closed(
  {
    key: Type.String({
      pattern: '^[a-z][a-z0-9_-]{0,39}$',
      description:
        'The key of the step. The key `admission-approval` is the approval that the policies require before the first step.',
      examples: ['forecast'],
    }),
    state: Type.Enum([...stepStates], { description: 'The state of the step.' }),
    attempts: Type.Integer({ minimum: 0, maximum: 1_000, description: 'The number of attempts.' }),
    run_uid: Nullable(
      Type.String({
        pattern: '^[a-z]{3}_[0-7][0-9A-HJKMNP-TV-Z]{25}$',
        examples: ['fct_01K8XQ5W3ZJ6T9R2M4N7P0QABC'],
      }),
      'The run that the latest attempt of the step requested; null if the step requests no run.',
    ),
    started_at: Nullable(InstantOf('When it began.'), 'When the step began; null if it has not begun.'),
    ended_at: Nullable(InstantOf('When it ended.'), 'When the run ended; null if it has not ended.'),
    error_code: Nullable(
      ErrorCode,
      'The error code of the step or of its latest attempt; null if no error occurred.',
    ),
  },
  { title: 'WorkflowStep', description: 'A step of a run of a workflow.' },
);

export const WorkflowRunResource = Closed(
  {
    uid: Uid(prefixes.workflowRun, 'The run.'),
    workflow: WorkflowReference,
    state: Type.Enum([...workflowRunStates], { description: 'The state of the run.' }),
    admission_uid: Uid(prefixes.workflowAdmission, 'The admission that started the run.'),
    created_at: InstantOf('When the run was started.'),
    started_at: Nullable(
      InstantOf('When its first step began.'),
      'When the first step of the run began; null if no step has begun.',
    ),
    ended_at: Nullable(InstantOf('When it ended.'), 'When the run ended; null if it has not ended.'),
    steps: Type.Array(WorkflowStepResource, {
      maxItems: 51,
      description: 'The steps, in the order of the definition.',
    }),
    cost: Nullable(
      Closed(
        {
          currency: Type.String({ pattern: '^[A-Z]{3}$', description: 'ISO 4217.', examples: ['EUR'] }),
          metered_minor: Minor('The cost in minor units, rounded half to even.'),
          metered_micro: Minor('The cost in millionths of the major unit.'),
          is_floor: Type.Boolean({
            description: 'Whether some usage has no price, so that the cost is a lower bound.',
          }),
        },
        { description: "The cost of the steps' computing time, at the rate when each ended." },
      ),
      'The cost of the computing time of the steps, at the rate in force when each step ended. Null if there is no rate, or if the rates have several currencies.',
    ),
    inputs_hash: Sha256Of('The digest of the workflow, the application and the parameters.'),
    outputs_hash: Nullable(
      Sha256Of('The hashes of the outputs of its steps, by key.'),
      "SHA-256 of the RFC 8785 form of the hashes of the steps' outputs, by key; null until the run has succeeded.",
    ),
    error: Nullable(
      Closed({ code: ErrorCode }, { description: 'Why it ended without success.' }),
      'The error that ended the run; null if no error occurred.',
    ),
  },
  { title: 'WorkflowRun', description: 'A run of a workflow.' },
);
