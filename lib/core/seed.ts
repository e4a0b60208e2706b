import { randomInt } from 'node:crypto';

/** A seed for who names none. It is told, so that the draws can be had again. */
export function drawSeed(): number {
  return randomInt(2 ** 47);
}
