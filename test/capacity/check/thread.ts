import computeNothing from '../../bench/jobs/thread.ts';
import { COMPUTE_MS } from './compute-ms.ts';

/** Waits instead of computing, so that other load on the machine does not change the time of a computation. */
export default function waitForAWhile(): ReturnType<typeof computeNothing> {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, COMPUTE_MS);
  return computeNothing();
}
