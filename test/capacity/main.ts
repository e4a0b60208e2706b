import { writeFileSync } from 'node:fs';
import { closeHosts } from '../support/cli-hosts.ts';
import { capacityOf } from './cell.ts';
import { checkSimulation } from './check/check.ts';
import { costOfMix, runUnits } from './cost.ts';
import { fleetOf } from './fleet.ts';
import { measure } from './measure/measure.ts';
import { readMeasured } from './measured.ts';
import { readOptions, type CapacityOptions } from './options.ts';
import { queueOfCell } from './queue-of-cell.ts';
import {
  cellReport,
  checkReport,
  fleetReport,
  kindsReport,
  measuredReport,
  simulationReport,
} from './report.ts';
import { outcomeAt } from './simulation/study.ts';

/** The loads of the simulation, and the order of the queue at each. */
const LOADS = [
  [0.5, 'fair'],
  [0.8, 'fair'],
  [0.95, 'fair'],
  [1.5, 'fair'],
  [1.5, 'first_in_first_out'],
] as const;
const SIMULATED_RUNS = { full: 300_000, quick: 5_000 };

const options = readOptions(process.argv.slice(2));
const say = (text: string) => process.stdout.write(`${text}\n\n`);
const notify = (line: string) => void process.stderr.write(`capacity: ${line}\n`);

const measured = options.from ? readMeasured(options.from) : await measure({ ...options, notify });
await closeHosts();
if (options.json) writeFileSync(options.json, `${JSON.stringify(measured, undefined, 2)}\n`);
say(measuredReport(measured));
reportCells(options);
reportSimulation(options);
if (options.check) {
  const checked = await checkSimulation({ ...options, notify });
  say(checkReport(checked));
  // So few runs as a quick check has do not agree.
  if (!options.quick && checked.points.some(({ agrees }) => !agrees)) process.exitCode = 1;
}

function reportCells({ cell, mix, prices, runsPerDay }: CapacityOptions): void {
  const { costs, footprint } = measured;
  const cost = costOfMix(costs, mix);
  const capacity = capacityOf(cell, cost, footprint);
  const parts = Object.entries(mix).map(([unit, amount]) => `${amount} ${unit}`);
  say(
    cellReport(
      `A cell of ${cell.cores} processors, ${cell.memoryGb} GB, ${cell.iops} IOPS and ${cell.storageGb} GB of disk, with ${parts.join(', ')} for each run`,
      capacity,
    ),
  );
  say(
    kindsReport(
      runUnits.map((unit) => ({
        unit,
        capacity: capacityOf(cell, costOfMix(costs, { [unit]: 1 }), footprint),
      })),
    ),
  );
  say(
    fleetReport(
      runsPerDay.map((runs) => fleetOf(runs, { cell, cost, capacity, prices })),
      prices,
    ),
  );
}

function reportSimulation({ cell, mix, quick, simulation }: CapacityOptions): void {
  const { workspaces, skew, seed } = simulation;
  const queue = queueOfCell(cell, measured.costs, mix);
  const runs = quick ? SIMULATED_RUNS.quick : SIMULATED_RUNS.full;
  const study = { ...queue, shares: skew.sharesOf(workspaces, seed), runs, seed };
  const { places, processors, database } = queue.system;
  say(
    simulationReport(
      `${workspaces} workspaces (${skew.name}), ${runs} runs at each load, seed ${seed}, ${places} places, ${processors} processors of workers, ${database.servers} of PostgreSQL.`,
      LOADS.map(([load, order]) => outcomeAt(study, load, order)),
    ),
  );
}
