import { columnOf, type Expression, type Operator } from './expression.ts';
import { decayOf, ewma, movingRules } from './moving.ts';
import { ewmaReach, windowReach } from './reach.ts';

/**
 * Returns the value of an entity's column at a position in the sequence of the entity's periods. Returns NaN if
 * there is no value, for example before the first period.
 */
export type ReadColumn = (column: string, place: number) => number;

/**
 * Evaluates an expression for one entity at the positions `from` to `to` of its periods. The result is NaN at positions
 * without a value. A value depends only on the columns, so it is identical to the bit for every requested range. The
 * expression must not compare entities: comparisons are computed beforehand, and their results are read as columns.
 */
export function evaluate(expression: Expression, read: ReadColumn, from: number, to: number): Float64Array {
  const column = columnOf(expression);
  if (column !== undefined) return filled(from, to, (place) => read(column, place));
  switch (expression.type) {
    case 'number':
      return filled(from, to, () => expression.value);
    case 'negative': {
      const of = evaluate(expression.of, read, from, to);
      return of.map((value) => -value);
    }
    case 'absolute': {
      const of = evaluate(expression.of, read, from, to);
      return of.map((value) => Math.abs(value));
    }
    case 'binary': {
      const left = evaluate(expression.left, read, from, to);
      const right = evaluate(expression.right, read, from, to);
      const combine = arithmetic[expression.operator];
      return left.map((value, at) => finite(combine(value, right[at]!)));
    }
    case 'moving': {
      const reach = windowReach(expression.name, expression.periods);
      const of = evaluate(expression.of, read, from - reach, to);
      const rule = movingRules[expression.name];
      return filled(0, to - from, (at) => finite(rule(of.subarray(at, at + reach + 1))));
    }
    case 'ewma': {
      const decay = decayOf(expression.by, expression.amount);
      const reach = ewmaReach(expression.by, expression.amount);
      const of = evaluate(expression.of, read, from - reach, to);
      return filled(0, to - from, (at) => finite(ewma(of.subarray(at, at + reach + 1), decay)));
    }
    default:
      throw new Error(`an expression of type ${expression.type} must be computed first and read as a column`);
  }
}

const arithmetic: Readonly<Record<Operator, (left: number, right: number) => number>> = {
  '+': (left, right) => left + right,
  '-': (left, right) => left - right,
  '*': (left, right) => left * right,
  '/': (left, right) => left / right,
};

/** Converts infinite numbers to NaN. */
function finite(value: number): number {
  return Number.isFinite(value) ? value : Number.NaN;
}

function filled(from: number, to: number, valueAt: (place: number) => number): Float64Array {
  const values = new Float64Array(to - from + 1);
  for (let at = 0; at < values.length; at += 1) values[at] = valueAt(from + at);
  return values;
}
