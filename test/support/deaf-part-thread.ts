import runInThread, { type ThreadTask } from '#workers/process/thread.ts';
import burn from './deaf-thread.ts';

/** A thread that never ends a part of any round after round 0. */
export default function runOrBurn(task: ThreadTask): ReturnType<typeof runInThread> {
  return (task.divided?.part?.round ?? 0) > 0 ? burn(task) : runInThread(task);
}
