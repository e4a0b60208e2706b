/** An expression that cannot be read: what is wrong, and at which character, counted from 1. */
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
  /** As it is written; of a text what stands between the quotes. */
  text: string;
  /** Its first character, counted from 1. */
  position: number;
};

export const EXPRESSION_CHARACTERS_MAX = 2_000;

const SHAPES: readonly { type: Token['type']; shape: RegExp }[] = [
  { type: 'number', shape: /(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?/y },
  { type: 'name', shape: /[A-Za-z_][A-Za-z0-9_]*/y },
  { type: 'text', shape: /"[^"\\\p{Cc}]{1,100}"/uy },
  { type: 'sign', shape: /[-+*/(),=]/y },
];

/** The tokens of an expression, and one that stands for its end. Throws an `ExpressionRefused` at what is none. */
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
    throw new ExpressionRefused('a text takes 1 to 100 characters and ends with "', position);
  }
  const character = String.fromCodePoint(text.codePointAt(at)!);
  throw new ExpressionRefused(`${JSON.stringify(character)} has no meaning here`, position);
}
