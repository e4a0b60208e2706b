/**
 * The maximum nesting depth. No document that Assay seals is nested as deeply, and a recursive parser can
 * process this depth.
 */
const DEPTH_MAX = 100;

const [QUOTE, BACKSLASH] = [0x22, 0x5c];
const NUMBER = /[-+.\deE]+/y;

/** Reports a JSON text that two readers could interpret differently. */
export class AmbiguousJson extends Error {
  constructor(fault: string, at: number) {
    super(`${fault} at character ${at}`);
    this.name = 'AmbiguousJson';
  }
}

/**
 * Parses a JSON document that is checked against a hash. Only white space and the order of members may vary:
 * each number and string must be written as in RFC 8785, and no object may repeat a member. Throws a
 * `SyntaxError` if the text is not JSON or continues after the document, and an `AmbiguousJson` for any other
 * deviation.
 *
 * readStrictJson('{"a": 1}')            // { a: 1 }
 * readStrictJson('{"a": 1, "a": 2}')    // AmbiguousJson: the member "a" occurs twice
 * readStrictJson('{"a": 1.0}')          // AmbiguousJson: the number 1.0 is not in RFC 8785 form
 */
export function readStrictJson(text: string): unknown {
  const value: unknown = JSON.parse(text);
  checkTokens(text);
  return value;
}

/**
 * Decodes a file as UTF-8. Throws a `TypeError` on other bytes. Keeps a byte order mark, so that the JSON parser
 * refuses the file.
 */
export function strictText(bytes: Uint8Array): string {
  return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
}

/** Checks the tokens of a valid JSON text. */
function checkTokens(text: string): void {
  const open: Set<string>[] = [];
  let lastString = '';
  for (let at = 0; at < text.length; at += 1) {
    const sign = text[at]!;
    if (sign === '{' || sign === '[') {
      if (open.push(new Set()) > DEPTH_MAX) throw new AmbiguousJson('nested too deeply', at);
    } else if (sign === '}' || sign === ']') open.pop();
    else if (sign === ':') {
      const names = open.at(-1)!;
      if (names.has(lastString)) throw new AmbiguousJson(`the member ${lastString} occurs twice`, at);
      names.add(lastString);
    } else if (sign === '"') {
      lastString = stringAt(text, at);
      at += lastString.length - 1;
    } else if (sign === '-' || (sign >= '0' && sign <= '9')) at += numberAt(text, at).length - 1;
  }
}

function stringAt(text: string, start: number): string {
  let end = start + 1;
  let isEscaped = false;
  for (let code = text.charCodeAt(end); code !== QUOTE; code = text.charCodeAt(end)) {
    if (code === BACKSLASH) isEscaped = true;
    end += code === BACKSLASH ? 2 : 1;
  }
  const token = text.slice(start, end + 1);
  const isUsual =
    token.isWellFormed() && (!isEscaped || (token === rewritten(token) && !hasLoneSurrogate(token)));
  if (!isUsual) throw new AmbiguousJson('a string is not in RFC 8785 form', start);
  return token;
}

function numberAt(text: string, start: number): string {
  NUMBER.lastIndex = start;
  const [token] = NUMBER.exec(text)!;
  if (token !== rewritten(token))
    throw new AmbiguousJson(`the number ${token.slice(0, 40)} is not in RFC 8785 form`, start);
  return token;
}

const rewritten = (token: string) => JSON.stringify(JSON.parse(token));

const hasLoneSurrogate = (token: string) => !(JSON.parse(token) as string).isWellFormed();
