/**
 * The computation of a feature from the observations of its source.
 *
 * - A **column** contains the values of an entity, one per period.
 * - A **moving** function reads earlier periods of the same entity.
 * - An **across** function compares the entities in one period.
 *
 * A result that cannot be computed is a missing value.
 */
export type Expression =
  | { type: 'number'; value: number }
  | { type: 'column'; name: string }
  /** A column that the source identifies by a text, such as `metric("eps")`. */
  | { type: 'keyed'; source: KeyedFunction; key: string }
  | { type: 'negative'; of: Expression }
  | { type: 'absolute'; of: Expression }
  | { type: 'binary'; operator: Operator; left: Expression; right: Expression }
  | { type: 'moving'; name: MovingFunction; of: Expression; periods: number }
  | { type: 'ewma'; of: Expression; by: 'alpha' | 'half_life'; amount: number }
  | { type: 'across'; name: AcrossFunction; of: Expression };

export const operators = ['+', '-', '*', '/'] as const;
export type Operator = (typeof operators)[number];

export const movingFunctions = ['lag', 'return', 'log_return', 'mean', 'sd', 'min', 'max'] as const;
export type MovingFunction = (typeof movingFunctions)[number];

export const acrossFunctions = ['zscore', 'rank', 'percentile'] as const;
export type AcrossFunction = (typeof acrossFunctions)[number];

export const keyedFunctions = ['metric', 'series'] as const;
export type KeyedFunction = (typeof keyedFunctions)[number];

/** Returns the direct subexpressions, from left to right. */
export function partsOf(expression: Expression): readonly Expression[] {
  switch (expression.type) {
    case 'number':
    case 'column':
    case 'keyed':
      return [];
    case 'binary':
      return [expression.left, expression.right];
    case 'negative':
    case 'absolute':
    case 'moving':
    case 'ewma':
    case 'across':
      return [expression.of];
  }
}

/** Returns the name of a column's observations: `close`, `metric:eps`. Returns undefined for other expressions. */
export function columnOf(expression: Expression): string | undefined {
  if (expression.type === 'column') return expression.name;
  return expression.type === 'keyed' ? `${expression.source}:${expression.key}` : undefined;
}

/** Returns the distinct columns that an expression reads, in the order of their first use. */
export function columnsOf(expression: Expression): string[] {
  const own = columnOf(expression);
  return [...new Set([...(own === undefined ? [] : [own]), ...partsOf(expression).flatMap(columnsOf)])];
}

/** Whether an expression compares entities. */
export function comparesEntities(expression: Expression): boolean {
  return expression.type === 'across' || partsOf(expression).some(comparesEntities);
}
