import runInThread, { type ThreadTask } from '#workers/process/thread.ts';
import burn from './deaf-thread.ts';

/** A thread that never ends the division of a round. */
export default function runOrBurn(task: ThreadTask): ReturnType<typeof runInThread> {
  return task.round ? burn(task) : runInThread(task);
}
