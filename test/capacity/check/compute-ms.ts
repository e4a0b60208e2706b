/** The time of a computation of the check, in milliseconds. */
export const COMPUTE_MS = 500;
