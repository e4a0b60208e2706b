/** A JSON Schema as it is published. */
export type Json = { [keyword: string]: unknown };

/** Merges an `anyOf` of a schema and null into one schema that has both types. */
export function nullable(schema: Json): Json {
  const { anyOf, ...rest } = schema;
  if (!Array.isArray(anyOf) || anyOf.length !== 2) return schema;
  const [one, other] = anyOf.map((branch) => withType(branch as Json)) as [Json, Json];
  if (other['type'] !== 'null' || typeof one['type'] !== 'string' || 'const' in one) return schema;
  const { title, description } = one;
  // Every use of a title must refer to one schema, so the nullable form gets its own title.
  const named = { title: `Nullable${title as string}`, description: `${description as string} May be null.` };
  return {
    ...one,
    ...(title === undefined ? rest : named),
    type: [one['type'], 'null'],
    ...(Array.isArray(one['enum']) ? { enum: [...one['enum'], null] } : {}),
  };
}

/** Adds the type `string` to an enum whose values are all strings. */
export function withType(schema: Json): Json {
  const { enum: values, type } = schema;
  const isText =
    type === undefined && Array.isArray(values) && values.every((each) => typeof each === 'string');
  return isText ? { type: 'string', ...schema } : schema;
}

/** Describes a map with arbitrary names by the schema of its values (`additionalProperties`). */
export function withValues(schema: Json): Json {
  const { patternProperties, ...rest } = schema;
  const [entry, another] = Object.entries((patternProperties ?? {}) as Record<string, Json>);
  return entry?.[0] === '^.*$' && !another ? { ...rest, additionalProperties: entry[1] } : schema;
}

/**
 * Adds a discriminator to an `anyOf` of references: the member whose value differs between all referenced
 * schemas, if such a member exists. `branches` are the referenced schemas, in the order of the references.
 */
export function discriminated(schema: Json, branches: readonly Json[]): Json {
  const { anyOf, ...rest } = schema;
  const references = (anyOf as Json[]).map(({ $ref }) => $ref);
  if (references.some(($ref) => $ref === undefined)) return schema;
  const shapes = branches.map(({ properties }) => (properties ?? {}) as Record<string, Json>);
  const propertyName = Object.keys(shapes[0]!).find((name) => {
    const values = shapes.flatMap((shape) => valuesOf(shape[name]) ?? []);
    // A value may omit a member that is not required, so such a member cannot discriminate.
    const isRequired = branches.every(({ required }) => (required as string[] | undefined)?.includes(name));
    return (
      isRequired && shapes.every((shape) => valuesOf(shape[name])) && new Set(values).size === values.length
    );
  });
  if (propertyName === undefined) return schema;
  const mapping = shapes.flatMap((shape, at) =>
    valuesOf(shape[propertyName])!.map((value) => [value, references[at]] as const),
  );
  return { ...rest, oneOf: anyOf, discriminator: { propertyName, mapping: Object.fromEntries(mapping) } };
}

function valuesOf(schema: Json | undefined): readonly string[] | undefined {
  if (typeof schema?.['const'] === 'string') return [schema['const']];
  return schema?.['enum'] as string[] | undefined;
}
