/** Turns of the same work, one after another: one that comes while another is under way does nothing, and tells 0. */
export function oneAtATime(turn: () => Promise<number>): () => Promise<number> {
  let isUnderWay = false;
  return async () => {
    if (isUnderWay) return 0;
    isUnderWay = true;
    try {
      return await turn();
    } finally {
      isUnderWay = false;
    }
  };
}
