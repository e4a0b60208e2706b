import type { Comparison, Condition } from '#lib/data/feature-expression/condition.ts';
import { expressionPanel, type Panel, type PanelSource } from './signal-panel.ts';

/**
 * Evaluates a condition for all symbols in all sessions: 1 is true, 0 is false, and NaN is unknown. A comparison with a
 * missing value is unknown. `and`, `or` and `not` follow the three-valued logic of Kleene: unknown and false is false,
 * unknown or true is true.
 */
export function conditionPanel(condition: Condition, source: PanelSource): Panel {
  switch (condition.type) {
    case 'comparison': {
      const left = expressionPanel(condition.left, source);
      const right = expressionPanel(condition.right, source);
      const compare = rules[condition.operator];
      return left.map((value, at) => compared(value, right[at]!, compare));
    }
    case 'not':
      return conditionPanel(condition.of, source).map((value) => 1 - value);
    case 'and':
    case 'or': {
      const left = conditionPanel(condition.left, source);
      const right = conditionPanel(condition.right, source);
      const decisive = condition.type === 'and' ? 0 : 1;
      return left.map((value, at) => joined(value, right[at]!, decisive));
    }
  }
}

const rules: Readonly<Record<Comparison, (left: number, right: number) => boolean>> = {
  '<': (left, right) => left < right,
  '<=': (left, right) => left <= right,
  '>': (left, right) => left > right,
  '>=': (left, right) => left >= right,
  '=': (left, right) => left === right,
};

function compared(left: number, right: number, compare: (left: number, right: number) => boolean): number {
  if (Number.isNaN(left) || Number.isNaN(right)) return Number.NaN;
  return compare(left, right) ? 1 : 0;
}

/** Combines two truth values. The `decisive` value determines the result alone: 0 for `and`, 1 for `or`. */
function joined(left: number, right: number, decisive: 0 | 1): number {
  if (left === decisive || right === decisive) return decisive;
  return Number.isNaN(left) || Number.isNaN(right) ? Number.NaN : 1 - decisive;
}
