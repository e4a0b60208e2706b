import type { RunKind, Outcome } from '#lib/core/run.ts';

/** Entry of the threads of the no-op job: computes nothing. */
export default function computeNothing(): Outcome<RunKind> {
  return { ok: true, output: { result: { done: true } }, attachments: {} };
}
