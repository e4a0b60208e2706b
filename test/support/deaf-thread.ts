import { PROGRESS, type ThreadTask } from '#workers/thread.ts';

/** Longer than any test waits. */
const BURN_MS = 60_000;

/** A computation at its worst: a tight loop that never looks whether it is still wanted. */
export default function burn(task: ThreadTask): never {
  Atomics.store(new Int32Array(task.shared), PROGRESS, 1);
  const started = performance.now();
  while (performance.now() - started < BURN_MS);
  throw new Error('nobody stopped this computation');
}
