import { createAjv } from '#lib/core/ajv.ts';
import { Closed } from '#lib/core/schema.ts';
import { bindParameters } from './bind-parameters.ts';
import type { ParameterValue } from './parameter.schema.ts';
import { schemaFaults, type StrategyFault } from './strategy-fault.ts';
import { strategyFaults } from './strategy-faults.ts';
import {
  StrategyParameters,
  StrategyRules,
  type ResolvedStrategy,
  type Strategy,
} from './strategy.schema.ts';

const ajv = createAjv({ useDefaults: true });
const isResolved = ajv.compile<ResolvedStrategy>(StrategyRules);
const areParameters = ajv.compile<{ parameters: Record<string, ParameterValue> }>(
  Closed({ parameters: StrategyParameters }),
);

export type Resolution =
  | {
      ok: true;
      strategy: ResolvedStrategy;
      /** The values of all parameters. */
      parameters: Record<string, ParameterValue>;
      /** The pointers of the members that a parameter replaced. */
      replaced: ReadonlySet<string>;
    }
  | { ok: false; faults: StrategyFault[] };

/**
 * Resolves a strategy: binds its parameters, fills in every default, and checks it. `parameters` replace the default
 * values of the strategy.
 *
 * Faults: those that the schema reports, a parameter without a value (`unbound_parameter`), without use
 * (`unused_parameter`) or without a declaration (`unknown_parameter`), an expression that cannot be parsed
 * (`expression`), and members that contradict each other.
 */
export function resolveStrategy(
  strategy: Strategy,
  parameters: Readonly<Record<string, ParameterValue>> = {},
): Resolution {
  // Only the parameters are copied here, because the rest of the strategy is copied when the parameters are bound.
  const { parameters: stated = {}, ...written } = strategy;
  const declared = structuredClone(stated);
  if (!areParameters({ parameters: declared })) return { ok: false, faults: schemaFaults(areParameters) };
  const values = { ...declared, ...parameters };
  const { value, used, replaced, faults: unbound } = bindParameters(written, values);
  const faults = [
    ...unbound,
    ...faultsOfNames(Object.keys(declared), used, 'unused_parameter', 'is not used by the strategy'),
    ...faultsOfNames(
      Object.keys(parameters),
      new Set(Object.keys(declared)),
      'unknown_parameter',
      'is not a parameter of the strategy',
    ),
  ];
  if (!isResolved(value)) faults.push(...schemaFaults(isResolved).filter(isNotIn(unbound)));
  else if (unbound.length === 0) faults.push(...strategyFaults(value));
  return faults.length > 0
    ? { ok: false, faults }
    : { ok: true, strategy: value as ResolvedStrategy, parameters: values, replaced };
}

function faultsOfNames(
  names: readonly string[],
  known: ReadonlySet<string>,
  code: string,
  message: string,
): StrategyFault[] {
  return names
    .filter((name) => !known.has(name))
    .map((name) => ({ pointer: `/parameters/${name}`, code, message }));
}

/**
 * Returns a filter that omits faults at and below a member with an unbound reference, so that such a member has only
 * one fault.
 */
function isNotIn(unbound: readonly StrategyFault[]) {
  const pointers = unbound.map(({ pointer }) => pointer);
  return ({ pointer }: StrategyFault): boolean =>
    !pointers.some((each) => pointer === each || pointer.startsWith(`${each}/`));
}
