import { escapePointer, type StrategyFault } from './strategy-fault.ts';
import type { ParameterValue } from './parameter.schema.ts';

/** The members whose text may contain `$name`. */
export const FORMULAS = /^\/(?:universe\/where|select\/where|signals\/[^/]+\/expression)$/;
const NAME = /\$([A-Za-z_][A-Za-z0-9_]*)/g;

export type Binding = {
  value: unknown;
  /** The names that were used. */
  used: ReadonlySet<string>;
  /** The pointers of the members that a parameter replaced. */
  replaced: ReadonlySet<string>;
  faults: StrategyFault[];
};

/**
 * Returns a copy of a strategy in which each `{"$": "name"}`, and each `$name` of an expression, is replaced by the
 * value of the parameter. A name without a value is a fault (`unbound_parameter`).
 */
export function bindParameters(
  strategy: unknown,
  parameters: Readonly<Record<string, ParameterValue>>,
): Binding {
  const used = new Set<string>();
  const replaced = new Set<string>();
  const faults: StrategyFault[] = [];
  const valueOf = (name: string, pointer: string): ParameterValue | undefined => {
    used.add(name);
    if (Object.hasOwn(parameters, name)) return parameters[name];
    faults.push({
      pointer,
      code: 'unbound_parameter',
      message: `uses the parameter ${name}, which has no value`,
    });
    return undefined;
  };
  const bind = (value: unknown, pointer: string): unknown => {
    if (typeof value === 'string' && FORMULAS.test(pointer)) {
      return value.replaceAll(NAME, (text, name: string) => printed(valueOf(name, pointer) ?? text));
    }
    if (Array.isArray(value)) return value.map((each, at) => bind(each, `${pointer}/${at}`));
    if (typeof value !== 'object' || value === null) return value;
    const name = referenceOf(value);
    if (name !== undefined) {
      replaced.add(pointer);
      // If the parameter has no value, the reference stays, so that the missing value is reported once.
      return valueOf(name, pointer) ?? { ...value };
    }
    return Object.fromEntries(
      Object.entries(value).map(([key, each]) => [key, bind(each, `${pointer}/${escapePointer(key)}`)]),
    );
  };
  return { value: bind(strategy, ''), used, replaced, faults };
}

function referenceOf(value: object): string | undefined {
  const { $: name } = value as { $?: unknown };
  return typeof name === 'string' && Object.keys(value).length === 1 ? name : undefined;
}

/** A negative number is printed in brackets, so that it is one operand. */
function printed(value: ParameterValue): string {
  return typeof value === 'number' && value < 0 ? `(${value})` : String(value);
}
