import { serviceClassLimits } from '#lib/database/base.ts';
import { layoutOf, type Cell } from './cell.ts';
import { costOfMix, processorMsOf, runUnits, type Cost, type Mix, type Unit } from './cost.ts';
import type { Study } from './simulation/study.ts';

/**
 * Returns the queue of a cell for the simulation: as many places as the cell has, and for workers and PostgreSQL whole
 * processors, as their share of the processor time of a run. A run computes on one processor, and a third of its work in
 * PostgreSQL is done at its submission, at its start and at its end each. All workspaces are of the service class
 * `standard`.
 *
 * Units: milliseconds of processor time. The time of waits for the disk and the network is left out.
 */
export function queueOfCell(
  cell: Cell,
  costs: Readonly<Record<Unit, Cost>>,
  mix: Mix,
): Pick<Study, 'system' | 'kinds'> {
  const cost = costOfMix(costs, mix);
  const coresOf = (part: 'worker' | 'postgres') =>
    Math.max(1, Math.round((cell.cores * cost.processorMs[part]) / processorMsOf(cost)));
  const stepMs = cost.processorMs.postgres / 3;
  const { runningRuns, queuedRuns } = serviceClassLimits.standard;
  return {
    system: {
      places: (cell.layout?.workers ?? layoutOf(cell, cost).workers) * cell.concurrency,
      processors: coresOf('worker'),
      runningMax: runningRuns,
      queuedMax: queuedRuns,
      database: { servers: coresOf('postgres'), submitMs: stepMs, startMs: stepMs, endMs: stepMs },
    },
    kinds: runUnits.flatMap((unit) => {
      const share = mix[unit] ?? 0;
      return share === 0 ? [] : [{ share, computeMs: costs[unit].processorMs.worker }];
    }),
  };
}
