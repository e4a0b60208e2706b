import { randomInt } from 'node:crypto';

/** Draws a seed for a request that names no seed. The seed is reported, so that the run can be reproduced. */
export function drawSeed(): number {
  return randomInt(2 ** 47);
}
