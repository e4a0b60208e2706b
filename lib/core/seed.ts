import { randomInt } from 'node:crypto';

/** Draws a seed for a request without one. The seed is reported, so that the draws can be reproduced. */
export function drawSeed(): number {
  return randomInt(2 ** 47);
}
