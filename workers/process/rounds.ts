import { walkRounds, type Division } from '#lib/core/rounds.ts';
import {
  MATRIX_BYTES_MAX,
  type Control,
  type InputOf,
  type Outcome,
  type Part,
  type RunKind,
} from '#lib/core/run.ts';
import type { Computation } from './runner.ts';

type Refused<R extends RunKind> = Extract<Outcome<R>, { ok: false }>;

/** The two pure functions from which a run in rounds is computed. */
export type RoundsWork<R extends RunKind, Data> = {
  /** Computes the numbers of one part. `before`: the numbers of all earlier rounds. */
  part(
    input: InputOf<R>,
    data: Data,
    work: { part: Part; before: Float64Array; control: Control },
  ): Float64Array | Refused<R>;
  /** Combines the numbers of all parts into the outcome of the run. */
  merge(input: InputOf<R>, data: Data, work: { numbers: Float64Array; control: Control }): Outcome<R>;
};

/**
 * Returns the computation of a run in rounds. A run that is not divided, such as a replay, walks all rounds in its
 * thread. It therefore combines the same numbers as a run that is divided among workers.
 */
export function computeInRounds<R extends RunKind, Data>(
  division: Division<InputOf<R>>,
  { part: partOf, merge }: RoundsWork<R, Data>,
): Computation<R, Data> {
  return (input, data, control, divided) => {
    if (divided?.drawn) return merge(input, data, { numbers: divided.drawn, control });
    if (divided) {
      const { part, before } = divided;
      const numbers = partOf(input, data, { part, before, control });
      return numbers instanceof Float64Array ? { ok: true, part: bytesOf(numbers) } : numbers;
    }
    // The walk reports the progress, because parts report only the progress of their own samples.
    const silent: Control = { progress: () => {}, cancelled: () => control.cancelled() };
    const numbers = walkRounds(
      input,
      division,
      (part, before) => partOf(input, data, { part, before, control: silent }),
      control,
    );
    if (!(numbers instanceof Float64Array)) return numbers;
    return withOwnMatrix(merge(input, data, { numbers, control }), numbers);
  };
}

/** Replaces `parts` by the numbers themselves, because the parts of an undivided run are not stored. */
function withOwnMatrix<R extends RunKind>(outcome: Outcome<R>, numbers: Float64Array): Outcome<R> {
  if (!outcome.ok || outcome.matrix !== 'parts') return outcome;
  const isSmall = numbers.byteLength <= MATRIX_BYTES_MAX;
  return { ...outcome, matrix: isSmall ? bytesOf(numbers) : undefined };
}

function bytesOf(numbers: Float64Array): Uint8Array {
  return new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength);
}
