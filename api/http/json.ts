import { Problem } from '#lib/core/problem.ts';

const DEPTH_MAX = 32;
/**
 * The maximum total number of objects, arrays and members in a body. The largest body of any operation has
 * half as many.
 */
const NODES_MAX = 120_000;
/** The maximum total number of elements and members in a body. Each of them takes at least two bytes. */
const VALUES_MAX = 400_000;
const MEMBERS_MAX = 1_000;

/**
 * Parses a JSON body. A body is malformed if it is not UTF-8 or not JSON, is nested deeper than 32 levels, or
 * has more values than any operation takes. It is also malformed if it repeats a member, or contains a NUL
 * character or a lone surrogate. Neither the database nor the canonical form can hold these characters.
 */
export function parseJson(bytes: Uint8Array): unknown {
  const text = decode(bytes);
  const names = scan(text);
  const value = parse(text);
  if (text.includes('\\u')) checkTexts(value);
  if (names > 0 && membersOf(value) !== names) {
    throw new Problem('malformed_json', 'An object in the body has the same member twice.');
  }
  return value;
}

/**
 * Returns the digits of the number at a JSON pointer as they were sent, or undefined if there is no number.
 * The text must have been parsed before. A double holds only 15 digits, so amounts of money are read by this
 * function.
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

/**
 * Checks a text against the limits of depth and size before it is parsed, and counts its member names, which
 * are the strings before a colon. A text that is not JSON passes here and is refused by the parser.
 */
function scan(text: string): number {
  let [depth, nodes, names, commas] = [0, 0, 0, 0];
  for (let at = 0; at < text.length; at += 1) {
    switch (text.charCodeAt(at)) {
      case QUOTE:
        at = endOfString(text, at);
        break;
      case COLON:
        names += 1;
        break;
      case COMMA:
        commas += 1;
        break;
      case OPEN_ARRAY:
      case OPEN_OBJECT:
        nodes += 1;
        depth += 1;
        if (depth > DEPTH_MAX + 1) throw tooMuch(`is nested deeper than ${DEPTH_MAX} levels`);
        break;
      case CLOSE_ARRAY:
      case CLOSE_OBJECT:
        depth -= 1;
        break;
    }
  }
  if (nodes + names > NODES_MAX) throw tooMuch(`has more than ${NODES_MAX} objects, arrays and members`);
  if (commas > VALUES_MAX) throw tooMuch(`has more than ${VALUES_MAX} values`);
  return names;
}

const [QUOTE, COLON, COMMA, OPEN_ARRAY, OPEN_OBJECT, CLOSE_ARRAY, CLOSE_OBJECT] = [...'":,[{]}'].map((each) =>
  each.charCodeAt(0),
);

function tooMuch(what: string): Problem {
  return new Problem('malformed_json', `The body ${what}.`);
}

/**
 * Returns the end of the string that begins at a quotation mark: the next quotation mark that an even number
 * of backslashes precedes.
 */
function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (end >= 0) {
    let first = end;
    while (text[first - 1] === '\\') first -= 1;
    if ((end - first) % 2 === 0) return end;
    end = text.indexOf('"', end + 1);
  }
  return text.length;
}

/** Returns the total number of members of all objects in a value. */
function membersOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  let members = 0;
  if (Array.isArray(value)) {
    for (const each of value) if (typeof each === 'object') members += membersOf(each);
    return members;
  }
  const names = Object.keys(value);
  if (names.length > MEMBERS_MAX) throw tooMuch(`has an object with more than ${MEMBERS_MAX} members`);
  for (const name of names) members += 1 + membersOf((value as Record<string, unknown>)[name]);
  return members;
}

/**
 * Checks texts for rejected characters. In a body, such a character can occur only as an escape sequence,
 * because the decoder and the parser reject the unescaped character.
 */
function checkTexts(value: unknown): void {
  if (typeof value === 'string') return checkText(value);
  if (typeof value !== 'object' || value === null) return;
  if (Array.isArray(value)) return value.forEach(checkTexts);
  for (const name of Object.keys(value)) {
    checkText(name);
    checkTexts((value as Record<string, unknown>)[name]);
  }
}

function checkText(text: string): void {
  if (text.includes('\0') || !text.isWellFormed()) {
    throw new Problem('malformed_json', 'The body contains text with a NUL character or a lone surrogate.');
  }
}
