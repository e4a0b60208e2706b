import type { StepDefinition } from './definition.schema.ts';

type Gate = Pick<Extract<StepDefinition, { kind: 'gate' }>, 'op' | 'against'>;

/**
 * Whether a value passes a gate. A value of another type than the gate's comparison value does not pass. For `in`, only
 * a text of the list passes.
 */
export function isOpen({ op, against }: Gate, value: unknown): boolean {
  switch (op) {
    case 'eq':
      return value === against;
    case 'in':
      return Array.isArray(against) && typeof value === 'string' && against.includes(value);
    case 'lte':
      return typeof value === 'number' && typeof against === 'number' && value <= against;
    case 'gte':
      return typeof value === 'number' && typeof against === 'number' && value >= against;
  }
}
