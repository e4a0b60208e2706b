import { hash } from 'node:crypto';
import canonicalize from 'canonicalize';
import Type, { type Static } from 'typebox';
import { Closed, InstantOf, Sha256, Sha256Of } from './schema.ts';

export const SealSchema = Closed(
  {
    algorithm: Type.Literal('sha-256', { description: 'The hash algorithm.' }),
    canonicalization: Type.Literal('RFC8785', { description: 'The canonical form that is hashed.' }),
    hash: Sha256Of('SHA-256 of the RFC 8785 form of the object with exactly the covered members.'),
    covers: Type.Array(Type.String(), {
      minItems: 1,
      maxItems: 50,
      uniqueItems: true,
      description: 'The top-level members of the resource that are sealed.',
    }),
    member_hashes: Type.Record(Type.String(), Sha256, {
      description: 'SHA-256 of the RFC 8785 form of each covered member, to identify a changed member.',
    }),
    sealed_at: InstantOf('When the resource was sealed. The hash does not cover this instant.'),
  },
  { title: 'Seal', description: 'A seal that anyone can recompute from the resource alone.' },
);

export type Seal = Static<typeof SealSchema>;

const sealMembers = new Set(Object.keys(SealSchema.properties));

/**
 * Returns the lower-case hex SHA-256 of a UTF-8 text or of bytes. All hashes in seals are computed with this function.
 */
export function sha256(content: string | Uint8Array): string {
  return hash('sha256', content, 'hex');
}

/**
 * Returns the RFC 8785 (JCS) form of a JSON value. Throws on values that JSON cannot represent: NaN, infinities, lone
 * surrogates, cycles, undefined. An undefined member of an object is omitted, as in JSON.
 */
export function canonicalJson(value: unknown): string {
  const text = plainForm(value, 0) ?? canonicalize(value);
  if (text === undefined) throw new TypeError('the value has no canonical JSON form');
  return text;
}

/** The nesting up to which plain data is converted directly. Cycles end here as well. */
const PLAIN_DEPTH_MAX = 16;

/**
 * Returns the RFC 8785 form of plain data: objects, arrays, well-formed texts, finite numbers, booleans and null. Returns
 * undefined for all other values, which are left to the library, as are deeply nested ones. For arrays of numbers this
 * takes 0.7 of the library's time.
 */
function plainForm(value: unknown, depth: number): string | undefined {
  if (typeof value === 'string') return value.isWellFormed() ? JSON.stringify(value) : undefined;
  if (typeof value === 'number') return Number.isFinite(value) ? JSON.stringify(value) : undefined;
  if (typeof value === 'boolean' || value === null) return String(value);
  if (typeof value !== 'object' || depth > PLAIN_DEPTH_MAX) return undefined;
  if ((value as { toJSON?: unknown }).toJSON !== undefined) return undefined;
  if (Array.isArray(value)) return plainArray(value, depth);
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return undefined;
  const members = value as Record<string, unknown>;
  const names = Object.keys(members);
  if (isFlatInOrder(members, names)) return JSON.stringify(members);
  let form = '';
  for (const name of names.sort()) {
    const member = members[name];
    if (member === undefined) continue;
    const memberForm = plainForm(member, depth + 1);
    if (memberForm === undefined || !name.isWellFormed()) return undefined;
    form += (form === '' ? '' : ',') + JSON.stringify(name) + ':' + memberForm;
  }
  return `{${form}}`;
}

/**
 * Whether an object has only texts, finite numbers, booleans, nulls and undefined members, in the canonical order of their
 * names. JSON has the same form of such an object, and it is converted in one step.
 */
function isFlatInOrder(members: Readonly<Record<string, unknown>>, names: readonly string[]): boolean {
  let previous = '';
  for (const name of names) {
    const member = members[name];
    const isPlain =
      typeof member === 'string'
        ? member.isWellFormed()
        : typeof member === 'number'
          ? Number.isFinite(member)
          : typeof member === 'boolean' || member === null || member === undefined;
    if (!isPlain || name < previous || !name.isWellFormed()) return false;
    previous = name;
  }
  return true;
}

function plainArray(values: readonly unknown[], depth: number): string | undefined {
  // JSON has the same form of numbers, and an array of numbers is converted in one step.
  if (values.every((value) => value === null || Number.isFinite(value))) return JSON.stringify(values);
  const forms: string[] = [];
  for (const value of values) {
    const form = plainForm(value, depth + 1);
    if (form === undefined) return undefined;
    forms.push(form);
  }
  return `[${forms.join(',')}]`;
}

/** Returns the SHA-256 of the RFC 8785 form of a value. */
export function canonicalHash(value: unknown): string {
  return sha256(canonicalJson(value));
}

/** The JSON of a value, and the SHA-256 of its RFC 8785 form. */
export type HashedJson = { readonly text: string; readonly hash: string };

/**
 * Returns the JSON of a value, as `JSON.stringify` writes it, and the SHA-256 of its RFC 8785 form. If all members are in
 * the canonical order, both are the same text, which is written once. Throws on the values on which `canonicalJson`
 * throws.
 */
export function hashedJson(value: unknown): HashedJson {
  const plain = plainForm(value, 0);
  const text = plain !== undefined && isInOrder(value) ? plain : JSON.stringify(value);
  return { text, hash: plain === undefined ? canonicalHash(value) : sha256(plain) };
}

/** Whether the members of all objects in plain data are in the canonical order of their names. */
function isInOrder(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return true;
  if (Array.isArray(value)) return value.every(isInOrder);
  const names = Object.keys(value);
  return (
    names.every((name, at) => at === 0 || names[at - 1]! < name) && Object.values(value).every(isInOrder)
  );
}

/** Seals the members of a resource. The hash does not cover the instant of sealing. */
export function seal(members: Readonly<Record<string, unknown>>, sealedAt: Date): Seal {
  const { covers, hash, memberHashes } = hashMembers(members);
  return {
    algorithm: 'sha-256',
    canonicalization: 'RFC8785',
    hash,
    covers,
    member_hashes: memberHashes,
    sealed_at: sealedAt.toISOString(),
  };
}

/**
 * Returns the hash of each member and the hash of all members together. The canonical form of an object is its members
 * in code-unit order, so each member is converted to its canonical form only once.
 */
function hashMembers(members: Readonly<Record<string, unknown>>) {
  const covers = Object.keys(members).sort();
  const forms = covers.map((name) => canonicalJson(members[name]));
  return {
    covers,
    hash: sha256(`{${covers.map((name, at) => `${canonicalJson(name)}:${forms[at]}`).join(',')}}`),
    memberHashes: Object.fromEntries(covers.map((name, at) => [name, sha256(forms[at]!)])),
  };
}

export type SealCheck = {
  intact: boolean;
  expected: string;
  actual: string | null;
  /** The members that differ from the seal, such as `result` or `specific_returns (missing)`. */
  differences: string[];
  /** The members that the seal does not cover, such as the uid and the times of writing. */
  not_covered: string[];
};

/**
 * Recomputes the seal of a resource from the resource alone: its covered members, `result_hash`, `input_hash`, and each
 * present attachment that is listed in a covered `attachment_hashes`. Throws a `TypeError` if the resource has no seal,
 * or a seal of an unknown form. Parse a resource in text form with `readStrictJson` first.
 */
export function checkSeal(resource: unknown): SealCheck {
  const record = asRecord(resource);
  const stated = asRecord(record?.['seal']);
  if (!record || !stated || typeof stated['hash'] !== 'string' || !Array.isArray(stated['covers'])) {
    throw new TypeError('the document carries no seal');
  }
  if (stated['algorithm'] !== 'sha-256' || stated['canonicalization'] !== 'RFC8785') {
    throw new TypeError('the seal names an unknown algorithm or canonicalization');
  }
  const covers: unknown[] = stated['covers'];
  if (!areNames(covers)) throw new TypeError('the seal has an empty or invalid list of covered members');
  const missing = covers.filter((name) => !Object.hasOwn(record, name));
  const differences = missing.map((name) => `${name} (missing)`);
  const present = covers.filter((name) => Object.hasOwn(record, name));
  const { hash, memberHashes } = hashMembers(Object.fromEntries(present.map((name) => [name, record[name]])));
  const statedHashes = asRecord(stated['member_hashes']) ?? {};
  for (const name of present) {
    if (Object.hasOwn(statedHashes, name) && statedHashes[name] !== memberHashes[name])
      differences.push(name);
  }
  for (const name of Object.keys(statedHashes)) {
    if (!covers.includes(name)) differences.push(`seal.covers (without ${name})`);
  }
  for (const [name, about] of [
    ['result_hash', 'result'],
    ['input_hash', 'input'],
  ] as const) {
    const isStated = Object.hasOwn(record, name) && Object.hasOwn(record, about);
    if (isStated && record[name] !== canonicalHash(record[about])) differences.push(name);
  }
  const attachments = covers.includes('attachment_hashes')
    ? (asRecord(record['attachment_hashes']) ?? {})
    : {};
  for (const [name, expected] of Object.entries(attachments)) {
    if (Object.hasOwn(record, name) && canonicalHash(record[name]) !== expected) differences.push(name);
  }
  for (const name of Object.keys(stated)) {
    if (!sealMembers.has(name)) differences.push(`seal.${name} (unknown)`);
  }
  const checked = new Set(['seal', 'result_hash', 'input_hash', ...Object.keys(attachments)]);
  const actual = missing.length ? null : hash;
  if (actual !== stated['hash'] && differences.length === 0) differences.push('seal.hash');
  return {
    intact: differences.length === 0,
    expected: stated['hash'],
    actual,
    differences: [...new Set(differences)],
    not_covered: Object.keys(record).filter((name) => !covers.includes(name) && !checked.has(name)),
  };
}

/** Whether the values are a non-empty list of distinct texts. */
function areNames(covers: unknown[]): covers is string[] {
  const names = covers.filter((name) => typeof name === 'string');
  return names.length > 0 && names.length === covers.length && new Set(names).size === names.length;
}

function asRecord(value: unknown): Record<string, unknown> | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : undefined;
}
