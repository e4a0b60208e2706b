/** Reports an expression that cannot be parsed: the reason, and the position of the character, starting at 1. */
export class ExpressionRefused extends Error {
  readonly position: number;
  readonly reason: string;

  constructor(reason: string, position: number) {
    super(`character ${position}: ${reason}`);
    this.position = position;
    this.reason = reason;
  }
}

export type Token = {
  type: 'number' | 'name' | 'text' | 'sign' | 'end';
  /** The text as written; for a quoted text, the part between the quotes. */
  text: string;
  /** The position of the first character, starting at 1. */
  position: number;
};

export const EXPRESSION_CHARACTERS_MAX = 2_000;

const SHAPES: readonly { type: Token['type']; shape: RegExp }[] = [
  { type: 'number', shape: /(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?/y },
  { type: 'name', shape: /[A-Za-z_][A-Za-z0-9_]*/y },
  { type: 'text', shape: /"[^"\\\p{Cc}]{1,100}"/uy },
  { type: 'sign', shape: /<=|>=|[-+*/(),=<>]/y },
];

/**
 * Splits an expression into tokens, followed by an end token. Throws an `ExpressionRefused` at the first
 * invalid character.
 */
export function tokensOf(text: string): Token[] {
  if (text.length > EXPRESSION_CHARACTERS_MAX) {
    const reason = `the expression is longer than ${EXPRESSION_CHARACTERS_MAX} characters`;
    throw new ExpressionRefused(reason, EXPRESSION_CHARACTERS_MAX + 1);
  }
  const tokens: Token[] = [];
  let at = 0;
  while (at < text.length) {
    if (/[ \t\r\n]/.test(text[at]!)) {
      at += 1;
      continue;
    }
    const found = tokenAt(text, at);
    tokens.push(found.token);
    at += found.length;
  }
  return [...tokens, { type: 'end', text: '', position: text.length + 1 }];
}

function tokenAt(text: string, at: number): { token: Token; length: number } {
  const position = at + 1;
  for (const { type, shape } of SHAPES) {
    shape.lastIndex = at;
    const found = shape.exec(text)?.[0];
    if (found === undefined) continue;
    const token = { type, text: type === 'text' ? found.slice(1, -1) : found, position };
    return { token, length: found.length };
  }
  if (text[at] === '"') {
    throw new ExpressionRefused('a quoted text must have 1 to 100 characters and end with "', position);
  }
  const character = String.fromCodePoint(text.codePointAt(at)!);
  throw new ExpressionRefused(`${JSON.stringify(character)} is not allowed here`, position);
}
