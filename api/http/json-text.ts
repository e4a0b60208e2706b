import { createHash, type Hash } from 'node:crypto';
import { setImmediate as breathe } from 'node:timers/promises';
import { sha256 } from '#lib/core/seal.ts';

/**
 * The maximum number of characters written in one turn of the event loop, so that a turn takes about ten
 * milliseconds.
 */
const TURN_CHARACTERS = 1_048_576;

/** The JSON of an answer, and a function that returns its SHA-256. */
export type JsonText = { content: string | Buffer; hash(): string };

/** Returns the JSON of an answer. A long list takes several turns of the event loop. */
export async function jsonText(body: unknown): Promise<JsonText> {
  if (!hasList(body)) return shortText(JSON.stringify(body));
  let hash: Hash | undefined;
  const parts: Buffer[] = [];
  let text = '';
  const endTurn = () => {
    const part = Buffer.from(text);
    hash = (hash ?? createHash('sha256')).update(part);
    parts.push(part);
    text = '';
  };
  for (const piece of piecesOf(body)) {
    text += piece;
    if (text.length < TURN_CHARACTERS) continue;
    endTurn();
    await breathe();
  }
  if (!hash) return shortText(text);
  endTurn();
  const digest = hash.digest('hex');
  return { content: Buffer.concat(parts), hash: () => digest };
}

/** Returns a text that is hashed only if its hash is needed, in one turn of the event loop. */
function shortText(content: string): JsonText {
  return { content, hash: () => sha256(content) };
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
