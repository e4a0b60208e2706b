import { catalog } from '#api/catalog.ts';
import { openApi } from '#api/derive/openapi.ts';
import { addressOf } from '#api/derive/router.ts';
import type { Operation } from '#lib/core/operation.ts';
import { version } from '#lib/core/version.ts';

export type Schema = Record<string, unknown>;
export type Media = { schema: Schema; example?: unknown; examples?: Record<string, { value: unknown }> };
export type Content = Record<string, Media>;
export type Header = { description: string; schema: Schema };
export type Response = { description: string; headers: Record<string, Header>; content: Content };
export type Described = {
  operationId: string;
  tags: string[];
  summary: string;
  description: string;
  security: { bearer: string[] }[];
  parameters: { name: string; in: string; required: boolean; description?: string; schema: Schema }[];
  requestBody?: { required: boolean; content: Content };
  responses: Record<string, Response>;
} & Record<string, unknown>;
export type Document = {
  openapi: string;
  info: { version: string };
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, Described>>;
  components: Record<'schemas' | 'examples' | 'headers' | 'responses', Record<string, Schema>>;
};

/** The document as a reader receives it, without the members that `JSON.stringify` omits. */
export const document = JSON.parse(JSON.stringify(openApi(catalog, version))) as Document;

/**
 * The target of each reference. All references to a target share one object, so that its schema is compiled
 * once.
 */
const known = new Map<string, unknown>();

/** Returns the document with each reference replaced by its target. */
export const whole = dereferenced(document) as Document;

export function describedAs(operation: Pick<Operation, 'path' | 'method' | 'rpc'>): Described {
  return whole.paths[addressOf(operation)]![operation.method.toLowerCase()]!;
}

/** Returns the target of a reference of the document. */
export function follow(reference: string): unknown {
  const steps = reference.replace(/^#\//, '').split('/');
  return steps.reduce<unknown>((node, step) => (node as Schema | undefined)?.[step], document);
}

function dereferenced(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(dereferenced);
  const { $ref } = value as { $ref?: string };
  if ($ref !== undefined) {
    if (!known.has($ref)) known.set($ref, dereferenced(follow($ref)));
    return known.get($ref);
  }
  const entries = Object.entries(value).map(([name, each]) => [name, dereferenced(each)] as const);
  // The mapping of a discriminator names schemas as texts, and validators without OpenAPI support do not know the
  // keyword. It is therefore left out.
  return Object.fromEntries(entries.filter(([name]) => name !== 'discriminator'));
}
