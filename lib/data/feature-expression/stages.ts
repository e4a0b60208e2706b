import type { AcrossFunction, Expression } from './expression.ts';
import { printExpression } from './print.ts';

/**
 * A comparison of entities that is evaluated before the rest of an expression. Later stages read its results as a
 * column.
 */
export type Stage = { column: string; name: AcrossFunction; of: Expression };

/**
 * Splits an expression into comparisons of entities, in the order of evaluation, and a remaining expression
 * without comparisons. Equal comparisons form one stage.
 *
 * Example: `zscore(close) - 1` is split into the stage `zscore(close)` with the column `#1`, and the
 * remaining expression `#1 - 1`.
 */
export function stagesOf(expression: Expression): { stages: Stage[]; rest: Expression } {
  const stages: Stage[] = [];
  const rest = withColumns(expression, stages);
  return { stages, rest };
}

function withColumns(expression: Expression, stages: Stage[]): Expression {
  switch (expression.type) {
    case 'number':
    case 'column':
    case 'keyed':
      return expression;
    case 'binary':
      return {
        ...expression,
        left: withColumns(expression.left, stages),
        right: withColumns(expression.right, stages),
      };
    case 'across': {
      const of = withColumns(expression.of, stages);
      const known = stages.find(
        (stage) => stage.name === expression.name && printExpression(stage.of) === printExpression(of),
      );
      if (!known) stages.push({ column: `#${stages.length + 1}`, name: expression.name, of });
      return { type: 'column', name: (known ?? stages.at(-1)!).column };
    }
    default:
      return { ...expression, of: withColumns(expression.of, stages) };
  }
}
