import type { Static, TSchema } from 'typebox';
import { schemaFaults, type BodyFault, type GovernedKind } from './kind.ts';

/** Matches a valid key that the drafter chooses. */
const KEY = /^[a-z][a-z0-9_.-]{0,63}$/;

export type ReadDraft =
  | { ok: true; key: string; body: Record<string, unknown> }
  | { ok: false; faults: BodyFault[] };

/**
 * Checks the terms of a draft against the schema of its kind, fills in defaults, and determines the key that
 * its versions share. If the kind takes its key from the body, that key is used; otherwise the drafter gives the key.
 */
export function readDraft(kind: GovernedKind, given: { key?: string | undefined; body: unknown }): ReadDraft {
  const body = structuredClone(given.body) as Record<string, unknown>;
  const faults = schemaFaults(kind, body);
  if (faults.length) return { ok: false, faults };
  const key = kind.keyOf?.(body as Static<TSchema>) ?? given.key;
  if (key === undefined || (!kind.keyOf && !KEY.test(key))) {
    const message =
      'must be 1 to 64 lower-case letters, digits, dots, dashes and underscores, and begin with a letter';
    return { ok: false, faults: [{ pointer: '/key', code: 'key', message }] };
  }
  return { ok: true, key, body };
}
