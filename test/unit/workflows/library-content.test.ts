import { expect } from 'chai';
import type { TSchema } from 'typebox';
import { createAjv } from '#lib/core/ajv.ts';
import type { Run } from '#lib/pipeline/define-run.ts';
import { runs } from '#lib/runs.ts';
import { shippedItems } from '#lib/workflows/catalogue/library-items.query.ts';
import { valuesOf } from '#lib/workflows/definition.ts';
import type { StepValue, WorkflowDefinition } from '#lib/workflows/definition.schema.ts';
import { resolveInput } from '#lib/workflows/step-value.ts';

const ajv = createAjv();

/** Valid values of the text parameters that accept only certain texts. */
const texts: Readonly<Record<string, string>> = {
  model_uid: `lqm_${'0'.repeat(26)}`,
  frequency: 'monthly',
  period: '2026-10',
};
const declared: Readonly<Record<string, Pick<Run, 'request' | 'output' | 'input'>>> = runs;

/** A value of each type of parameter, within the bounds of the parameter. */
function sampleOf({ name, type, minimum, maximum }: WorkflowDefinition['parameters'][number]) {
  if (type === 'date') return '2020-09-30';
  if (type === 'boolean') return true;
  if (type === 'text') return texts[name] ?? 'growth';
  return Math.max(minimum ?? 1, Math.min(maximum ?? 12, 12));
}

describe('The shipped workflows', function () {
  this.timeout(30_000); // compiling the schema of a request takes seconds

  it('are at least ten workflows with distinct keys and digests', () => {
    const items = shippedItems();
    expect(items.length).to.be.at.least(10);
    expect(new Set(items.map(({ digest }) => digest)).size).to.equal(items.length);
    for (const { key, definition } of items) expect(definition.key).to.equal(key);
  });

  for (const { key, definition } of shippedItems()) {
    it(`send requests that the API accepts, in the runs of ${key}`, async () => {
      const parameters = Object.fromEntries(definition.parameters.map((each) => [each.name, sampleOf(each)]));
      for (const step of definition.steps) {
        if (step.kind !== 'run' || Object.values(step.input).some(namesStep)) continue;
        const request = await resolveInput(step.input, { parameters, outputOf: async () => ({}) });
        const accepts = ajv.compile(declared[step.job]!.request as TSchema);
        expect(accepts(request), JSON.stringify(accepts.errors)).to.equal(true);
      }
    });

    it(`read only members that the runs of ${key} seal`, () => {
      for (const step of definition.steps) {
        for (const [where, value] of valuesOf(step)) {
          if (!namesStep(value)) continue;
          const source = definition.steps.find((each) => each.key === value.step)!;
          if (source.kind !== 'run') continue;
          expect(
            isSealed(declared[source.job]!, value.pointer),
            `${step.key}${where} ${value.pointer}`,
          ).to.equal(true);
        }
      }
    });
  }
});

function namesStep(value: StepValue): value is { step: string; pointer: string } {
  return typeof value === 'object' && value !== null && 'step' in value;
}

/** Whether a pointer finds a member of the sealed result of a run. */
function isSealed({ output, input }: Pick<Run, 'output' | 'input'>, pointer: string): boolean {
  if (['/uid', '/result_hash'].includes(pointer)) return true;
  const [, first, ...rest] = pointer.split('/');
  let here: TSchema | undefined = first === 'input' ? input : propertyOf(output, first!);
  for (const name of rest) here = here && propertyOf(here, name);
  return here !== undefined;
}

function propertyOf(schema: TSchema, name: string): TSchema | undefined {
  const { properties, anyOf } = schema as { properties?: Record<string, TSchema>; anyOf?: TSchema[] };
  return (
    properties?.[name] ?? anyOf?.map((each) => propertyOf(each, name)).find((each) => each !== undefined)
  );
}
