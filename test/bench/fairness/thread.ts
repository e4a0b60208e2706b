import computeNothing from '../jobs/thread.ts';

const COMPUTE_MS = 10;

/** Computes for a while, as the entry of a thread. The result of the run has no meaning. */
export default function computeForAWhile(): ReturnType<typeof computeNothing> {
  const until = performance.now() + COMPUTE_MS;
  while (performance.now() < until);
  return computeNothing();
}
