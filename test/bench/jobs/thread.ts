import type { RunKind, Outcome } from '#lib/core/run.ts';

/** Computes nothing, as the entry of the threads of the no-op job. */
export default function computeNothing(): Outcome<RunKind> {
  return { ok: true, output: { result: { done: true } }, attachments: {} };
}
