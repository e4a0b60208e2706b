import { PROGRESS, type ThreadTask } from '#workers/process/thread.ts';

/** Computes in an endless tight loop that never checks for cancellation, which is the worst case of a run. */
export default function burn(task: ThreadTask): never {
  Atomics.store(new Int32Array(task.shared), PROGRESS, 1);
  for (;;);
}
