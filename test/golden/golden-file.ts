import { GoldenFileError } from './report.ts';

/**
 * A JSON object whose members are checked on reading, so that a broken file is distinguished from wrong
 * numbers.
 */
export type Members = Record<string, unknown>;

export function parseGoldenFile(contents: string): Members {
  let parsed: unknown;
  try {
    parsed = JSON.parse(contents);
  } catch (error) {
    throw new GoldenFileError(`not JSON: ${(error as Error).message}`);
  }
  return asMembers(parsed, 'the file');
}

export function asMembers(value: unknown, name: string): Members {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new GoldenFileError(`${name} is not an object`);
  }
  return value as Members;
}

export function asList(value: unknown, name: string): unknown[] {
  if (!Array.isArray(value)) throw new GoldenFileError(`${name} is not a list`);
  return value;
}

export function asText(value: unknown, name: string): string {
  if (typeof value !== 'string') throw new GoldenFileError(`${name} is not a text`);
  return value;
}

export function asNumber(value: unknown, name: string): number {
  if (typeof value !== 'number') throw new GoldenFileError(`${name} is not a number`);
  return value;
}

/**
 * Reads an integer of any size: an exact JSON number, or its digits as a text. Throws a `GoldenFileError` on
 * any other value.
 */
export function asInteger(value: unknown, name: string): bigint {
  if (typeof value === 'bigint') return value;
  if (typeof value === 'number' && Number.isSafeInteger(value)) return BigInt(value);
  if (typeof value === 'string' && /^-?\d{1,100}$/.test(value)) return BigInt(value);
  throw new GoldenFileError(`${name} is not an integer; beyond 2^53 it has to be a text`);
}
