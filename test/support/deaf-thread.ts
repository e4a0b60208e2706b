import { PROGRESS, type ThreadTask } from '#workers/process/thread.ts';

/** A computation at its worst: a tight loop without an end that never looks whether it is still wanted. */
export default function burn(task: ThreadTask): never {
  Atomics.store(new Int32Array(task.shared), PROGRESS, 1);
  for (;;);
}
