/** Turns of the same work, one after another: one that comes while another is under way does nothing, and tells 0. */
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
