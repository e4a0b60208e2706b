import type { Control, Divide, Part, Rounds } from './run.ts';

/** The maximum number of parts in one round. */
export const ROUND_PARTS_MAX = 1_024;
/** The largest size of the numbers of one part, in bytes. */
export const PART_BYTES_MAX = 67_108_864;
/** The largest size of all numbers of a divided run, in bytes. */
export const NUMBERS_BYTES_MAX = 268_435_456;
/** The progress of a divided run when all its parts are computed. The remaining work is the merging of the parts. */
export const PROGRESS_OF_PARTS = 0.9;

const INITIAL_DOUBLES = 1_024;

/** How a kind of run is divided. Without `rounds`, a run has one round. */
export type Division<Input> = { divide: Divide<Input>; rounds?: Rounds<Input> | undefined };

/** The largest number of rounds of a division. */
export function roundsMax({ rounds }: Pick<Division<never>, 'rounds'>): number {
  return rounds?.most ?? 1;
}

/**
 * Returns the number of samples of a round. Throws if its parts do not cover consecutive samples from `first` on,
 * belong to another round, or are more than `ROUND_PARTS_MAX`.
 */
export function samplesOfRound(
  parts: readonly Part[],
  { round, first }: { round: number; first: number },
): number {
  if (parts.length === 0 || parts.length > ROUND_PARTS_MAX)
    throw new Error(`round ${round} has ${parts.length} parts, but 1 to ${ROUND_PARTS_MAX} are allowed`);
  let next = first;
  for (const part of parts) {
    if (part.round !== round || part.first !== next || !Number.isSafeInteger(part.count) || part.count < 1)
      throw new Error(`the part ${JSON.stringify(part)} does not continue round ${round} at sample ${next}`);
    next += part.count;
  }
  return next - first;
}

/**
 * Computes all rounds of a run in one thread and returns the numbers of all parts in order: the same bytes as those of
 * a run that is divided among workers. `numbersOf` computes one part. If `numbersOf` returns an object instead of
 * numbers, such as a refusal, the computation ends and returns this object.
 *
 * Throws if a division is not valid (`samplesOfRound`), if samples of one round differ in length, if the numbers are
 * together larger than `NUMBERS_BYTES_MAX`, or if the run is cancelled.
 */
export function walkRounds<Input, Refused extends { ok: false } = never>(
  input: Input,
  { divide, rounds }: Division<Input>,
  numbersOf: (part: Part, before: Float64Array) => Float64Array | Refused,
  control?: Control,
): Float64Array | Refused {
  let numbers = new Float64Array(INITIAL_DOUBLES);
  let length = 0;
  let first = 0;
  for (let round = 0; round < roundsMax({ rounds }); round += 1) {
    const before = numbers.subarray(0, length);
    const parts = divide(input, round, before);
    if (parts === null) break;
    const samples = samplesOfRound(parts, { round, first });
    const total = rounds?.samples(input) ?? samples;
    let width: number | undefined;
    for (const part of parts) {
      if (control?.cancelled()) throw new Error('cancelled');
      const computed = numbersOf(part, before);
      if (!(computed instanceof Float64Array)) return computed;
      width ??= computed.length / part.count;
      checkWidth(computed.length, part, width);
      numbers = withRoom(numbers, length, length + computed.length);
      numbers.set(computed, length);
      length += computed.length;
      control?.progress(PROGRESS_OF_PARTS * Math.min(1, (part.first + part.count) / total));
    }
    first += samples;
  }
  return numbers.subarray(0, length);
}

/** Throws unless a part of `length` numbers has `width` numbers per sample, and `width` is an integer of at least 1. */
export function checkWidth(length: number, { round, first, count }: Part, width: number): void {
  if (width < 1 || !Number.isInteger(width) || length !== width * count)
    throw new Error(
      `the part of round ${round} from sample ${first} has ${length} numbers for ${count} samples, not ${width} for each`,
    );
}

/** Returns `numbers` or a larger copy of its first `length` numbers, with room for `needed` numbers. */
function withRoom(
  numbers: Float64Array<ArrayBuffer>,
  length: number,
  needed: number,
): Float64Array<ArrayBuffer> {
  if (needed * Float64Array.BYTES_PER_ELEMENT > NUMBERS_BYTES_MAX)
    throw new Error(`the numbers of the parts are larger than ${NUMBERS_BYTES_MAX} bytes`);
  if (needed <= numbers.length) return numbers;
  const larger = new Float64Array(Math.max(needed, 2 * numbers.length));
  larger.set(numbers.subarray(0, length));
  return larger;
}
