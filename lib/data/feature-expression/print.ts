import type { Expression } from './expression.ts';

/**
 * Prints an expression in its canonical form, without unnecessary brackets. Parsing the text gives the
 * expression again.
 * Example: `ratio(close,lag( close , 1))-1`, when parsed, prints as `close / lag(close, 1) - 1`.
 */
export function printExpression(expression: Expression): string {
  switch (expression.type) {
    case 'number':
      return String(expression.value);
    case 'column':
      return expression.name;
    case 'keyed':
      return `${expression.source}("${expression.key}")`;
    case 'negative':
      return `-${bracketed(expression.of, SIGN)}`;
    case 'absolute':
      return `abs(${printExpression(expression.of)})`;
    case 'binary': {
      const { operator, left, right } = expression;
      const own = weightOf(expression);
      return `${bracketed(left, own)} ${operator} ${bracketed(right, own + 1)}`;
    }
    case 'moving':
      return `${expression.name}(${printExpression(expression.of)}, ${expression.periods})`;
    case 'ewma':
      return `ewma(${printExpression(expression.of)}, ${expression.by}=${expression.amount})`;
    case 'across':
      return `${expression.name}(${printExpression(expression.of)})`;
  }
}

const SIGN = 3;

/** Returns the precedence of an expression: 1 for sums, 2 for products, 3 for all others. */
function weightOf(expression: Expression): number {
  if (expression.type !== 'binary') return SIGN;
  return expression.operator === '+' || expression.operator === '-' ? 1 : 2;
}

function bracketed(expression: Expression, min: number): string {
  const text = printExpression(expression);
  return weightOf(expression) < min ? `(${text})` : text;
}
