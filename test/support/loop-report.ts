/** Asks an API process with `loop-watch.ts` before it (`--import`) for a report. */
export const ASK = 'loop';

/** How the event loop of a process was held since the last report. */
export type LoopReport = {
  /** The most processor time between two turns of the event loop, in milliseconds. */
  heldMs: number;
  /** The longest delay of the event loop, by the clock, in milliseconds. */
  delayMs: number;
  /** Processor time of a fixed piece of work in this process, in milliseconds. */
  unitMs: number;
};
