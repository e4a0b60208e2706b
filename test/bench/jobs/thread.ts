import type { Job, Outcome } from '#lib/core/job.ts';

/** Entry of the threads of the no-op job. */
export default function computeNothing(): Outcome<Job> {
  return { ok: true, output: { result: { done: true } }, attachments: {} };
}
