import { createHash } from 'node:crypto';
import { setImmediate as breathe } from 'node:timers/promises';
import { sha256 } from '#lib/core/seal.ts';

/**
 * The maximum number of characters written in one turn of the event loop, so that a turn takes about ten
 * milliseconds.
 */
const TURN_CHARACTERS = 1_048_576;

/** The JSON of an answer and its SHA-256. A long list takes several turns of the event loop. */
export type JsonText = { content: string | Buffer; hash: string };

export async function jsonText(body: unknown): Promise<JsonText> {
  if (!hasList(body)) {
    const content = JSON.stringify(body);
    return { content, hash: sha256(content) };
  }
  const hash = createHash('sha256');
  const parts: Buffer[] = [];
  let text = '';
  const endTurn = () => {
    const part = Buffer.from(text);
    hash.update(part);
    parts.push(part);
    text = '';
  };
  for (const piece of piecesOf(body)) {
    text += piece;
    if (text.length < TURN_CHARACTERS) continue;
    endTurn();
    await breathe();
  }
  endTurn();
  return { content: parts.length === 1 ? parts[0]! : Buffer.concat(parts), hash: hash.digest('hex') };
}

type WithList = { data: readonly unknown[] };

function hasList(body: unknown): body is WithList {
  return typeof body === 'object' && body !== null && 'data' in body && Array.isArray(body.data);
}

/** Returns the text as `JSON.stringify` writes it, with the elements of the list one by one. */
function* piecesOf(body: WithList): Generator<string> {
  let separator = '{';
  for (const [name, member] of Object.entries(body)) {
    if (member === undefined) continue;
    yield `${separator}${JSON.stringify(name)}:`;
    separator = ',';
    if (name !== 'data') {
      yield JSON.stringify(member);
      continue;
    }
    yield '[';
    for (const [at, element] of body.data.entries()) {
      yield (at === 0 ? '' : ',') + (JSON.stringify(element) ?? 'null');
    }
    yield ']';
  }
  yield '}';
}
