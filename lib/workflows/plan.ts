import type { AdmissionCondition } from './admission.ts';
import { needsOf } from './definition.ts';
import type { StepDefinition, WorkflowDefinition } from './definition.schema.ts';

/**
 * The key of the approval step that an admission adds before all other steps. No step of a definition can have this
 * key.
 */
export const ADMISSION_STEP = 'admission-approval';

export type PlannedStep = { key: string; definition: StepDefinition; needs: readonly string[] };

/** Returns the steps of a run: the approval that its admission may require, followed by the steps of the definition. */
export function planOf(
  { steps }: WorkflowDefinition,
  conditions: readonly AdmissionCondition[],
): PlannedStep[] {
  const planned = steps.map((definition, at) => ({
    key: definition.key,
    definition,
    needs: needsOf(steps, at),
  }));
  if (conditions.length === 0) return planned;
  const approval: StepDefinition = {
    key: ADMISSION_STEP,
    kind: 'approval',
    question: 'The policies require an approval before the run begins.',
  };
  return [
    { key: ADMISSION_STEP, definition: approval, needs: [] },
    ...planned.map((step) => ({ ...step, needs: step.needs.length > 0 ? step.needs : [ADMISSION_STEP] })),
  ];
}
