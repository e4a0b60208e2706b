import { createAjv } from '#lib/core/ajv.ts';
import { canonicalJson, sha256 } from '#lib/core/seal.ts';
import { SuiteCase } from '../evaluation/case.schema.ts';
import type { Case } from '../evaluation/suite.ts';

export const SUITE_CASES_MAX = 2_000;

const validate = createAjv({ allErrors: false }).compile(SuiteCase);

export type SuiteVerdict =
  | { ok: true; cases: Case[]; contentHash: string }
  | { ok: false; code: 'suite_invalid'; detail: string };

/** Reads the text of a suite: one case in each line. Refuses invalid cases, equal ids, and too many cases. */
export function readSuite(text: string): SuiteVerdict {
  const refuse = (detail: string): SuiteVerdict => ({ ok: false, code: 'suite_invalid', detail });
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  if (lines.length === 0 || lines.length > SUITE_CASES_MAX)
    return refuse(`A suite has 1 to ${SUITE_CASES_MAX} cases; the file has ${lines.length}.`);
  const cases: Case[] = [];
  const ids = new Set<string>();
  for (const [index, line] of lines.entries()) {
    const fault = caseFault(line);
    if (typeof fault === 'string') return refuse(`Line ${index + 1}: ${fault}.`);
    if (ids.has(fault.id)) return refuse(`Line ${index + 1}: the id ${fault.id} occurs twice.`);
    ids.add(fault.id);
    cases.push(fault);
  }
  return { ok: true, cases, contentHash: suiteHash(cases) };
}

/** Returns the hash of cases: SHA-256 of their RFC 8785 forms, one in each line. */
export function suiteHash(cases: readonly Case[]): string {
  return sha256(`${cases.map((each) => canonicalJson(each)).join('\n')}\n`);
}

function caseFault(line: string): Case | string {
  try {
    const value: unknown = JSON.parse(line);
    if (validate(value)) return value as Case;
    const [error] = validate.errors ?? [];
    return `${error?.instancePath || '/'} ${error?.message ?? 'is not valid'}`;
  } catch {
    return 'is not JSON';
  }
}
