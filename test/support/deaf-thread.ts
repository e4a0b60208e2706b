import { PROGRESS, type ThreadTask } from '#workers/process/thread.ts';

/**
 * A thread that runs the worst-case computation: an endless tight loop that never checks for cancellation.
 */
export default function burn(task: ThreadTask): never {
  Atomics.store(new Int32Array(task.shared), PROGRESS, 1);
  for (;;);
}
