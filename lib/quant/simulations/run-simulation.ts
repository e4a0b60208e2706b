import type { Control } from '#lib/core/run.ts';
import type { PathStore } from './path-store.ts';
import type { PreparedSimulation } from './prepare-simulation.ts';
import { partLayout, simulatePaths } from './simulate-paths.ts';
import { simulationResult, withdrawalFigures } from './simulation-figures.ts';
import type { PathRangeOf } from './simulation-parts.ts';
import type { SimulationResult } from './simulation-result.schema.ts';
import type { SimulationInput } from './simulations.schema.ts';

/** Share of the progress that simulating the paths takes. */
const SIMULATED = 0.9;

/** Simulates all paths of a request and returns its result. Errors: `SimulationCancelled` after a cancellation. */
export function runSimulation(
  input: SimulationInput,
  prepared: PreparedSimulation,
  control: Control,
): SimulationResult {
  const store = simulatePaths(
    prepared.setup,
    { first: 0, count: input.paths },
    { ...control, progress: (share) => control.progress(SIMULATED * share) },
  );
  return resultOf(input, prepared, [store], control);
}

/** Simulates the paths of a part and returns their statistics. Errors: `SimulationCancelled` after a cancellation. */
export function simulatePart(
  prepared: PreparedSimulation,
  range: PathRangeOf,
  control: Control,
): Float64Array {
  return simulatePaths(prepared.setup, range, control).numbers;
}

/** Returns the result of a simulation from the statistics of its parts, joined in order. */
export function joinParts(
  input: SimulationInput,
  prepared: PreparedSimulation,
  { ranges, numbers, control }: { ranges: readonly PathRangeOf[]; numbers: Float64Array; control: Control },
): SimulationResult {
  const layout = partLayout(prepared.setup, ranges[0]!.capacity, control);
  if (numbers.length !== ranges.length * layout.length)
    throw new Error(
      `${ranges.length} parts of ${layout.length} numbers were expected, not ${numbers.length} numbers`,
    );
  const stores = ranges.map(({ first, count }, part): PathStore => ({
    first,
    count,
    layout,
    numbers: numbers.subarray(part * layout.length, (part + 1) * layout.length),
  }));
  return resultOf(input, prepared, stores, control);
}

function resultOf(
  { withdrawal }: SimulationInput,
  prepared: PreparedSimulation,
  stores: readonly PathStore[],
  control: Control,
): SimulationResult {
  const result = simulationResult(prepared, stores, (share) =>
    control.progress(SIMULATED + (1 - SIMULATED) * share),
  );
  return {
    ...result,
    withdrawal: withdrawal && withdrawalFigures(prepared.setup, stores, withdrawal.solve),
  };
}
