import type { TSchema } from 'typebox';

/** The schema keywords from which an example is built. */
type Shape = {
  type?: string;
  properties?: Record<string, TSchema>;
  items?: TSchema;
  anyOf?: TSchema[];
  enum?: unknown[];
  const?: unknown;
  examples?: unknown[];
  default?: unknown;
  minimum?: number;
  maximum?: number;
  minItems?: number;
  maxItems?: number;
};

/**
 * Builds an example value of a schema: the schema's own example, default or constant, otherwise a value built
 * from its members. For a nullable object without an example, the value is null.
 */
export function exampleOf(schema: TSchema): unknown {
  const shape = schema as Shape;
  if (shape.examples?.length) return shape.examples[0];
  if (shape.default !== undefined) return shape.default;
  if (shape.const !== undefined) return shape.const;
  if (shape.enum) return shape.enum[0];
  if (shape.anyOf) {
    const isNullable = shape.anyOf.some((each) => (each as Shape).type === 'null');
    return isNullable && (shape.anyOf[0] as Shape).properties ? null : exampleOf(shape.anyOf[0]!);
  }
  if (shape.properties) {
    return Object.fromEntries(
      Object.entries(shape.properties).map(([name, member]) => [name, exampleOf(member)]),
    );
  }
  if (shape.items) {
    if (shape.maxItems === 0) return [];
    return Array.from({ length: Math.max(1, shape.minItems ?? 1) }, () => exampleOf(shape.items!));
  }
  if (shape.type === 'object') return {};
  if (shape.type === 'boolean') return true;
  if (shape.type === 'null') return null;
  if (shape.type === 'string') return 'text';
  return Math.min(Math.max(1, shape.minimum ?? 1), shape.maximum ?? Infinity);
}
