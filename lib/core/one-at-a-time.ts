/**
 * Returns a function that calls `turn`, but never runs two calls at the same time. A call during another call
 * does nothing and returns 0.
 */
export function oneAtATime(turn: () => Promise<number>): () => Promise<number> {
  let isRunning = false;
  return async () => {
    if (isRunning) return 0;
    isRunning = true;
    try {
      return await turn();
    } finally {
      isRunning = false;
    }
  };
}
