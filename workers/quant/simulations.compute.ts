import { prepareSimulation } from '#lib/quant/simulations/prepare-simulation.ts';
import { joinParts, runSimulation, simulatePart } from '#lib/quant/simulations/run-simulation.ts';
import { pathRanges } from '#lib/quant/simulations/simulation-parts.ts';
import type { ComputationOf } from '../process/runner.ts';
import type runner from './simulations.ts';

export const compute: ComputationOf<typeof runner> = (input, data, control, divided) => {
  const prepared = prepareSimulation(input, data);
  if (!prepared.ok) return prepared;
  const ranges = pathRanges(input);
  if (divided?.part) {
    const numbers = simulatePart(prepared, ranges[divided.part.first]!, control);
    return { ok: true, part: new Uint8Array(numbers.buffer) };
  }
  const result = divided
    ? joinParts(input, prepared, { ranges, numbers: divided.drawn, control })
    : runSimulation(input, prepared, control);
  return { ok: true, output: { result }, attachments: {} };
};
