import type { WorkflowDefinition } from '../definition.schema.ts';
import { PARAMETER_TEXT_MAX } from '../parameters.ts';

type Parameter = WorkflowDefinition['parameters'][number];
type Schema = Record<string, unknown>;

/** Returns the JSON Schema (2020-12) of the parameters of a workflow. A parameter that is not required may be null. */
export function inputsSchemaOf({ parameters }: Pick<WorkflowDefinition, 'parameters'>): Schema {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    additionalProperties: false,
    required: parameters.flatMap(({ name, required }) => (required ? [name] : [])),
    properties: Object.fromEntries(parameters.map((each) => [each.name, schemaOf(each)])),
  };
}

function schemaOf({ type, required, description, minimum, maximum }: Parameter): Schema {
  const bounds = {
    ...(minimum === undefined ? {} : { minimum }),
    ...(maximum === undefined ? {} : { maximum }),
  };
  const single: Record<Parameter['type'], { type: string } & Schema> = {
    integer: { type: 'integer', ...bounds },
    number: { type: 'number', ...bounds },
    text: { type: 'string', minLength: 1, maxLength: PARAMETER_TEXT_MAX },
    date: { type: 'string', format: 'date' },
    boolean: { type: 'boolean' },
  };
  const own = single[type];
  return { ...own, type: required ? own.type : [own.type, 'null'], description };
}
