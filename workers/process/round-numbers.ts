import { checkWidth, NUMBERS_BYTES_MAX } from '#lib/core/rounds.ts';
import type { Em } from '#lib/database/base.ts';
import { coverOf, type StoredPart } from '#lib/pipeline/part-cover.ts';
import { readParts, samplesStoredBefore, storedParts } from '#lib/pipeline/stored-part.query.ts';
import { copyInSlices, sharedDoubles, type SharedDoubles } from './shared-numbers.ts';

const BYTES = Float64Array.BYTES_PER_ELEMENT;

/** The numbers of the first samples of a run. */
export type RoundNumbers = {
  /** The numbers, and perhaps unused room after them. */
  doubles: SharedDoubles;
  /** The count of numbers before each round, by the count of samples before the round. */
  lengths: ReadonlyMap<number, number>;
  /** The largest count of samples in `lengths`. */
  samples: number;
};

/** The numbers before the first round: none. */
export const noNumbers: RoundNumbers = {
  doubles: sharedDoubles(0),
  lengths: new Map([[0, 0]]),
  samples: 0,
};

/** Returns the numbers of the first `samples` samples, which are whole rounds. */
export function numbersBefore({ doubles, lengths }: RoundNumbers, samples: number): SharedDoubles {
  return doubles.subarray(0, lengths.get(samples)!);
}

/**
 * Returns the numbers of a run up to the sample `to`, the end of a round, in memory that threads share. Reads only what
 * `known` lacks. The memory holds the numbers, their earlier copy while they grow, and a few megabytes of one read.
 * Returns undefined if the database no longer stores a part before `to`. Throws if the numbers together exceed
 * `NUMBERS_BYTES_MAX`, or if the samples of a round differ in length.
 */
export async function readNumbers(
  em: Em,
  uid: string,
  { known, to }: { known: RoundNumbers; to: number },
): Promise<RoundNumbers | undefined> {
  const from = known.samples <= to ? known.samples : to;
  if (!known.lengths.has(from)) return readNumbers(em, uid, { known: noNumbers, to });
  if ((await samplesStoredBefore(em, uid, from)) < from) return undefined;
  if (from === to) return known;
  const parts = coverOf(await storedParts(em, uid, from), from, to);
  if (!parts) return undefined;
  checkWidths(parts);
  const start = known.lengths.get(from)!;
  const length = start + parts.reduce((total, { bytes }) => total + bytes, 0) / BYTES;
  const doubles = await withRoom(known.doubles, { length: start, needed: length });
  const target = new Uint8Array(doubles.buffer);
  let at = start * BYTES;
  const isWhole = await readParts(em, uid, parts, (content) => {
    target.set(content, at);
    at += content.length;
  });
  if (!isWhole) return undefined;
  return { doubles, lengths: new Map([...known.lengths, [to, length]]), samples: to };
}

function checkWidths(parts: readonly StoredPart[]): void {
  const widths = new Map<number, number>();
  for (const part of parts) {
    const width = widths.get(part.round) ?? part.bytes / BYTES / part.count;
    widths.set(part.round, width);
    checkWidth(part.bytes / BYTES, part, width);
  }
}

/**
 * Returns `doubles`, or a copy with room for `needed` numbers. A copy usually doubles the room, so that copies are
 * rare.
 */
async function withRoom(
  doubles: SharedDoubles,
  { length, needed }: { length: number; needed: number },
): Promise<SharedDoubles> {
  if (needed * BYTES > NUMBERS_BYTES_MAX)
    throw new Error(`the numbers of the parts are larger than ${NUMBERS_BYTES_MAX} bytes`);
  if (needed <= doubles.length) return doubles;
  const larger = sharedDoubles(
    length === 0 ? needed : Math.min(NUMBERS_BYTES_MAX / BYTES, Math.max(needed, 2 * doubles.length)),
  );
  await copyInSlices(doubles.subarray(0, length), larger);
  return larger;
}
