/** Runs the same work one call at a time. A call during another one does nothing and returns 0. */
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
