import computeNothing from '../jobs/thread.ts';

const COMPUTE_MS = 10;

/** Entry of threads that compute for a while. Their runs have no real result. */
export default function computeForAWhile(): ReturnType<typeof computeNothing> {
  const until = performance.now() + COMPUTE_MS;
  while (performance.now() < until);
  return computeNothing();
}
