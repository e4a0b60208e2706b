import type { Static, TSchema } from 'typebox';
import { schemaFaults } from '#lib/governance/governed/kind.ts';
import { invalidBody } from '#lib/governance/refusal.ts';

/** Returns a document that matches its schema. Otherwise throws a refusal with every fault. */
export function checked<Schema extends TSchema>(schema: Schema, document: unknown): Static<Schema> {
  const faults = schemaFaults({ schema }, document);
  if (faults.length) throw invalidBody(faults.slice(0, 50));
  return document as Static<Schema>;
}
