import { partsOf, type Expression, type MovingFunction } from './expression.ts';

/**
 * The largest number of half-lives that an exponentially weighted mean reads. Older values have less than 2^-60 of the
 * weight of the newest value and are ignored.
 */
const HALVINGS_MAX = 60;
/** 2 to the power of -60. */
const WEIGHT_MIN = 8.673617379884035e-19;

/** Returns the number of earlier periods that an expression needs to compute one value. */
export function reachOf(expression: Expression): number {
  const inner = Math.max(0, ...partsOf(expression).map(reachOf));
  if (expression.type === 'moving') return inner + windowReach(expression.name, expression.periods);
  if (expression.type === 'ewma') return inner + ewmaReach(expression.by, expression.amount);
  return inner;
}

/** Returns the number of earlier periods that a moving function reads. */
export function windowReach(name: MovingFunction, periods: number): number {
  return name === 'lag' || name === 'return' || name === 'log_return' ? periods : periods - 1;
}

/** Returns the number of earlier periods that an exponentially weighted mean reads. */
export function ewmaReach(by: 'alpha' | 'half_life', amount: number): number {
  if (by === 'half_life') return Math.floor(HALVINGS_MAX * amount);
  let reach = 0;
  for (let weight = 1 - amount; weight >= WEIGHT_MIN; weight *= 1 - amount) reach += 1;
  return reach;
}
