import { Problem } from '#lib/core/problem.ts';

const DEPTH_MAX = 32;

/**
 * Parses a JSON body. Refuses as malformed what is not UTF-8, not JSON, nested deeper than 32 levels, names a member
 * twice, or has text that no database and no canonical form can hold: NUL characters and lone surrogates.
 */
export function parseJson(bytes: Uint8Array): unknown {
  const text = decode(bytes);
  const value = parse(text);
  if (checkValue(value, 0) !== namesIn(text)) {
    throw new Problem('malformed_json', 'An object of the body has a member twice.');
  }
  return value;
}

/**
 * The digits of a number as they were sent, by JSON pointer into a text that was parsed before; undefined where there is
 * no number. A double holds 15 digits; amounts of money are read from these instead.
 */
export function exactNumber(text: string, pointer: string): string | undefined {
  let value: unknown = JSON.parse(text, ((_name: string, each: unknown, { source }: { source: string }) =>
    typeof each === 'number' ? { source } : each) as never);
  for (const name of pointer.split('/').slice(1)) {
    const member = name.replaceAll('~1', '/').replaceAll('~0', '~');
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, member)) return undefined;
    value = (value as Record<string, unknown>)[member];
  }
  return value instanceof Object && 'source' in value && typeof value.source === 'string'
    ? value.source
    : undefined;
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

/** The number of members of all objects together. */
function checkValue(value: unknown, depth: number): number {
  if (depth > DEPTH_MAX)
    throw new Problem('malformed_json', `The body is nested deeper than ${DEPTH_MAX} levels.`);
  if (typeof value === 'string') checkText(value);
  if (typeof value !== 'object' || value === null) return 0;
  let members = 0;
  for (const [name, member] of Object.entries(value)) {
    checkText(name);
    members += checkValue(member, depth + 1) + (Array.isArray(value) ? 0 : 1);
  }
  return members;
}

/** How many member names a well-formed text has: its strings that a colon follows. */
function namesIn(text: string): number {
  let names = 0;
  let at = text.indexOf('"');
  while (at >= 0) {
    at = endOfString(text, at) + 1;
    while (WHITE_SPACE.has(text.charCodeAt(at))) at += 1;
    if (text[at] === ':') names += 1;
    at = text.indexOf('"', at);
  }
  return names;
}

const WHITE_SPACE = new Set([...' \t\r\n'].map((each) => each.charCodeAt(0)));

/** Where the string ends that begins at a quotation mark: at the next one before which backslashes stand in pairs. */
function endOfString(text: string, start: number): number {
  let end = start;
  for (;;) {
    end = text.indexOf('"', end + 1);
    let first = end;
    while (text[first - 1] === '\\') first -= 1;
    if ((end - first) % 2 === 0) return end;
  }
}

function checkText(text: string): void {
  if (text.includes('\0') || !text.isWellFormed()) {
    throw new Problem('malformed_json', 'The body has text with a NUL character or a lone surrogate.');
  }
}
