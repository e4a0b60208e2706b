/** A text made from a genuine document, and the name of the one mutation that changed it. */
export type Tampered = { mutation: string; text: string };

type Token = { kind: 'string' | 'name' | 'number'; start: number; end: number; token: string };

/** Returns the document in equivalent forms, which every verifier accepts. */
export function rewrittenTexts(text: string): Tampered[] {
  const value: unknown = JSON.parse(text);
  return [
    { mutation: 'spaces and line feeds', text: JSON.stringify(value, null, 2) },
    { mutation: 'CR LF and tabs', text: JSON.stringify(value, null, '\t').replaceAll('\n', '\r\n') },
    { mutation: 'white space around the document', text: `\r\n\t ${text} \r\n` },
  ];
}

/**
 * Returns the document in forms whose text is ambiguous or not canonical, one mutation each. The same
 * document always gives the same list.
 */
export function tamperedTexts(text: string): Tampered[] {
  const tokens = tokensOf(text);
  return [
    ...wholeTexts(text),
    ...duplicates(text, tokens),
    ...tokens.filter(({ kind }) => kind === 'number').flatMap(few(12, (token) => numbers(text, token))),
    ...tokens.filter(({ kind }) => kind === 'string').flatMap(few(8, (token) => strings(text, token))),
    ...tokens.filter(({ kind }) => kind === 'name').flatMap(few(6, (token) => strings(text, token))),
  ];
}

/**
 * Returns copies of the document, each with one value inside the given members changed. If there are more than
 * `max` values, only every n-th value is changed.
 */
export function exchangedValues(text: string, members: readonly string[], max = 60): Tampered[] {
  const document = JSON.parse(text) as Record<string, unknown>;
  const paths = members.flatMap((name) => leavesOf(document[name], [name]));
  const stride = Math.max(1, Math.ceil(paths.length / max));
  return paths
    .filter((_, at) => at % stride === 0)
    .map((path) => {
      const changed = structuredClone(document);
      const holder = path.slice(0, -1).reduce<any>((value, name) => value[name], changed);
      holder[path.at(-1)!] = neighbourOf(holder[path.at(-1)!]);
      return { mutation: `another value at /${path.join('/')}`, text: JSON.stringify(changed) };
    });
}

function wholeTexts(text: string): Tampered[] {
  const changed: Record<string, string> = {
    'a document after it': `${text}{}`,
    'the same document after it': `${text}\n${text}`,
    'a document before it': `{}${text}`,
    'a comma after it': `${text},`,
    'a bracket after it': `${text}}`,
    'words after it': `${text} approved`,
    'a NUL after it': `${text}\0`,
    'a comment after it': `${text}// approved`,
    'a comment before it': `/* approved */${text}`,
    'a byte order mark before it': `\ufeff${text}`,
    'a no-break space before it': `\u00a0${text}`,
    'a form feed before it': `\f${text}`,
    'a line separator after it': `${text}\u2028`,
    'a comma before its end': `${text.slice(0, -1)},}`,
    'no end': text.slice(0, -1),
    'no beginning': text.slice(1),
    'half of it': text.slice(0, text.length >> 1),
    'nothing of it': '',
    'itself in a list': `[${text}]`,
    'itself in a string': JSON.stringify(text),
    'members in single quotes': text.replaceAll('"', "'"),
    'a member without quotes': text.replace(/"([a-z_]+)":/, '$1:'),
  };
  return Object.entries(changed).map(([mutation, each]) => ({ mutation, text: each }));
}

/**
 * Returns documents that repeat the name of a member in its object: with a forged value before or after the
 * genuine value, with the genuine value twice, or once with an escaped name. Each document repeats one name,
 * and only some of the names are repeated.
 */
function duplicates(text: string, tokens: readonly Token[]): Tampered[] {
  return tokens
    .filter(({ kind }) => kind === 'name')
    .flatMap(
      few(24, ({ start, token }, at) => {
        const forged = ['null', '"forged"', '{}', '0'][at % 4]!;
        const before = (name: string) => `${text.slice(0, start)}${name}:${forged},${text.slice(start)}`;
        const value = text.slice(start, endOfMember(text, start));
        return [
          { mutation: `${token} twice, the forged one first`, text: before(token) },
          { mutation: `${token} twice, once escaped`, text: before(escaped(token)) },
          { mutation: `${token} twice, both genuine`, text: text.replace(value, () => `${value},${value}`) },
          {
            mutation: `${token} twice, the forged one last`,
            text: `${text.slice(0, start)}${value},${token}:${forged}${text.slice(start + value.length)}`,
          },
        ];
      }),
    );
}

function numbers(text: string, { start, end, token }: Token): Tampered[] {
  const forms: Record<string, string> = {
    'a zero in front': token.replace(/^-?/, '$&0'),
    'a sign in front': `+${token}`,
    'a point behind': `${token}.`,
    'an exponent of zero': `${token}e0`,
    'an exponent of zero, in capitals': `${token}E+0`,
    'a number beyond doubles': '1e400',
    'minus zero': '-0',
    'a negative number beyond doubles': '-1e400',
    'digits beyond doubles': `${token.includes('.') ? token : `${token}.`}00000000000000000000000001`,
    'an invalid number': 'NaN',
    infinity: 'Infinity',
    'hexadecimal digits': '0x10',
    'a string': `"${token}"`,
  };
  if (!/[.e]/.test(token)) forms['a fraction of zero'] = `${token}.0`;
  return Object.entries(forms).map(([mutation, form]) => ({
    mutation: `${mutation}: ${token} as ${form}`,
    text: text.slice(0, start) + form + text.slice(end),
  }));
}

function strings(text: string, { start, end, token }: Token): Tampered[] {
  const forms: Record<string, string> = {
    'an escape that is not needed': escaped(token),
    'an escape in capitals': escaped(token).replace(/\\u00../, (code) =>
      code.toUpperCase().replace('U', 'u'),
    ),
    'half of a character': token.replace(/"$/, '\\ud800"'),
    'half of a character, raw': token.replace(/"$/, '\ud800"'),
    'an escape that does not exist': token.replace(/"$/, '\\x"'),
    'a raw tab': token.replace(/"$/, '\t"'),
    'an escaped solidus': token.replace(/"$/, '\\/"'),
  };
  return Object.entries(forms)
    .filter(([, form]) => form !== token)
    .map(([mutation, form]) => ({
      mutation: `${mutation}: ${token.slice(0, 40)}`,
      text: text.slice(0, start) + form + text.slice(end),
    }));
}

/** Returns the string with its first character as an escape, which a JSON parser reads as the same string. */
function escaped(token: string): string {
  return token.replace(/^"(.)/u, (_, sign: string) =>
    sign === '"' || sign === '\\'
      ? `"\\u0041${sign}`
      : `"\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

function tokensOf(text: string): Token[] {
  return [...text.matchAll(/("(?:[^"\\]|\\.)*")(\s*:)?|-?\d[\d.eE+-]*/g)].map((found) => {
    const token = found[1] ?? found[0];
    const kind = found[2] ? 'name' : found[1] ? 'string' : 'number';
    return { kind, token, start: found.index, end: found.index + token.length };
  });
}

/** Returns the end of the member that begins at `start`: the comma or bracket after its value. */
function endOfMember(text: string, start: number): number {
  let depth = 0;
  for (const { 0: sign, index } of text.slice(start).matchAll(/"(?:[^"\\]|\\.)*"|[{}[\],]/g)) {
    if (depth === 0 && /^[,}\]]/.test(sign)) return start + index;
    depth += /^[{[]/.test(sign) ? 1 : /^[}\]]/.test(sign) ? -1 : 0;
  }
  throw new Error('the member has no end');
}

/**
 * Applies `make` to about `count` tokens at most, evenly spread over all tokens, and returns the mutations.
 */
function few<Made>(count: number, make: (token: Token, at: number) => Made[]) {
  return (token: Token, at: number, all: readonly Token[]): Made[] =>
    at % Math.max(1, Math.ceil(all.length / count)) === 0 ? make(token, at) : [];
}

function leavesOf(value: unknown, path: readonly string[]): string[][] {
  if (typeof value !== 'object' || value === null) return [[...path]];
  return Object.entries(value).flatMap(([name, each]) => leavesOf(each, [...path, name]));
}

function neighbourOf(value: unknown): unknown {
  if (typeof value === 'number')
    return (
      value + Math.max(Number.EPSILON * Math.abs(value), Number.MIN_VALUE, Number.isInteger(value) ? 1 : 0)
    );
  if (typeof value === 'string') return `${value} `;
  return value === null ? false : !value;
}
