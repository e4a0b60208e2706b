/** The message that requests a report from an API process with `loop-watch.ts` preloaded (`--import`). */
export const ASK = 'loop';

/** How long the event loop of a process was blocked since the last report. */
export type LoopReport = {
  /** The maximum processor time between two turns of the event loop, in milliseconds. */
  heldMs: number;
  /** The longest delay of the event loop, in milliseconds of wall-clock time. */
  delayMs: number;
  /** The processor time of one unit of work in this process, in milliseconds. */
  unitMs: number;
};
