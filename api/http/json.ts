import { Problem } from '#lib/core/problem.ts';

const DEPTH_MAX = 32;

/**
 * Parses a JSON body. Refuses as malformed what is not UTF-8, not JSON, nested deeper than 32 levels, or has text that
 * no database and no canonical form can hold: NUL characters and lone surrogates.
 */
export function parseJson(bytes: Uint8Array): unknown {
  const value = parse(decode(bytes));
  checkValue(value, 0);
  return value;
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    throw new Problem('malformed_json', 'The body is not UTF-8.', { cause: error });
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const [, position] = /position (\d+)/.exec((error as Error).message) ?? [];
    const where = position === undefined ? '' : ` at character ${position}`;
    throw new Problem('malformed_json', `The body is not well-formed JSON${where}.`, { cause: error });
  }
}

function checkValue(value: unknown, depth: number): void {
  if (depth > DEPTH_MAX)
    throw new Problem('malformed_json', `The body is nested deeper than ${DEPTH_MAX} levels.`);
  if (typeof value === 'string') checkText(value);
  else if (typeof value === 'object' && value !== null) {
    for (const [name, member] of Object.entries(value)) {
      checkText(name);
      checkValue(member, depth + 1);
    }
  }
}

function checkText(text: string): void {
  if (text.includes('\0') || !text.isWellFormed()) {
    throw new Problem('malformed_json', 'The body has text with a NUL character or a lone surrogate.');
  }
}
