import Table from 'cli-table3';
import { tableStyle } from '#api/cli/shell/output.ts';
import type { Capacity } from './cell.ts';
import { DIFFERENCE_MAX, differenceOf, type Checked } from './check/check.ts';
import { parts, processorMsOf, units } from './cost.ts';
import type { Fleet } from './fleet.ts';
import type { Measured } from './measured.ts';
import { COUNTED_MIN, type Outcome } from './simulation/study.ts';

/** Formats a measurement: a row for each unit. */
export function measuredReport({ measured_at, machine, queue, quick, costs, footprint }: Measured): string {
  const head = ['unit', ...parts.map((part) => `${part}, ms`), 'all, ms', 'WAL, kB', 'flushes', 'pages'];
  const more = ['table, kB', 'index, kB', 'TOAST, kB', 'trips', 'queue trips', 'connection, ms', 'place, ms'];
  const rows = units.map((unit) => {
    const cost = costs[unit];
    const { table, index, toast } = cost.storedBytes;
    return [
      unit,
      ...parts.map((part) => figure(cost.processorMs[part])),
      figure(processorMsOf(cost)),
      figure(cost.walBytes / 1e3),
      figure(cost.walFlushes),
      figure(cost.pageWrites),
      ...[table, index, toast].map((bytes) => figure(bytes / 1e3)),
      figure(cost.postgresTrips),
      figure(cost.queueTrips),
      figure(cost.connectionMs),
      figure(cost.slotMs),
    ];
  });
  const { memoryMb } = footprint;
  return [
    `Measured ${measured_at} on ${machine.cores} x ${machine.processor}, ${machine.memoryGb} GB, Node ${machine.node}, PostgreSQL ${machine.postgres}, queue on ${queue}, load ${machine.load.before} before and ${machine.load.after} after.`,
    ...(quick ? ['QUICK: so few units that these figures have no meaning.'] : []),
    tableOf([...head, ...more], rows),
    'Each figure is for one unit. Processor time by the processes of each part, without idle work. A page is a data page of 8 KiB written to the disk.',
    `Memory: API ${figure(memoryMb.api)} MB, worker ${figure(memoryMb.worker)} MB, scheduler and io worker ${figure(memoryMb.scheduler)} MB, Redis ${figure(memoryMb.redis)} MB, a connection ${figure(memoryMb.connection)} MB. Idle: ${figure(footprint.idleMsPerS)} ms of processor time a second.`,
  ].join('\n');
}

/** Formats what a cell carries: its limits, the tightest first. */
export function cellReport(title: string, { layout, bounds, perSecond, perDay, memory }: Capacity): string {
  return [
    `${title}. API processes: ${layout.api}, workers: ${layout.workers}.`,
    tableOf(
      ['limit', 'runs/s', 'because'],
      bounds.map((bound) => [bound.name, figure(bound.perSecond), bound.detail]),
    ),
    `It carries ${figure(perSecond)} runs/s at the peak, ${figure(perDay)} runs a day, and reaches the limit of ${bounds[0]!.name} first.`,
    `Memory: ${figure(memory.neededGb)} GB with shared buffers${memory.fits ? '' : ', WHICH DOES NOT FIT'}.`,
  ].join('\n');
}

/** Formats what each kind of run alone makes of a cell. */
export function kindsReport(kinds: readonly { unit: string; capacity: Capacity }[]): string {
  return [
    'The same cell with runs of one kind only:',
    tableOf(
      ['runs', 'runs/s', 'first limit', 'next limit'],
      kinds.map(({ unit, capacity: { bounds } }) => [
        unit,
        figure(bounds[0]!.perSecond),
        bounds[0]!.name,
        `${bounds[1]!.name} (${figure(bounds[1]!.perSecond)})`,
      ]),
    ),
  ].join('\n');
}

/** Formats what numbers of runs a day take. */
export function fleetReport(fleets: readonly Fleet[], { currency }: { currency: string }): string {
  return [
    'Cells, storage and money:',
    tableOf(
      [
        'runs a day',
        'cells',
        'cores',
        'stored, TB',
        'WAL a day, TB',
        `${currency} a month`,
        'processors',
        'storage',
        'IOPS',
        `${currency} a million runs`,
      ],
      fleets.map((fleet) => [
        figure(fleet.runsPerDay),
        String(fleet.cells),
        String(fleet.cores),
        figure(fleet.storedGb / 1e3),
        figure(fleet.walGbPerDay / 1e3),
        figure(fleet.perMonth.all),
        figure(fleet.perMonth.processors),
        figure(fleet.perMonth.storage),
        figure(fleet.perMonth.operations),
        figure(fleet.perMillionRuns),
      ]),
    ),
  ].join('\n');
}

/** Formats the simulation of many workspaces. */
export function simulationReport(about: string, outcomes: readonly Outcome[]): string {
  const three = ({ p50, p95, p99 }: Outcome['delay']) => [p50, p95, p99].map(figure).join(' / ');
  return [
    `Simulation: ${about}`,
    tableOf(
      [
        'load',
        'order',
        'runs/s',
        'delay p50 / p95 / p99, ms',
        'the same, within the fair share',
        'refused',
        "Jain's index",
        'worst workspace',
      ],
      outcomes.map((outcome) => [
        String(outcome.load),
        outcome.order.replaceAll('_', ' '),
        figure(outcome.perSecond),
        three(outcome.delay),
        three(outcome.delayWithinShare),
        String(outcome.refused),
        outcome.jain.toFixed(4),
        outcome.worst.toFixed(3),
      ]),
    ),
    `The index and the worst workspace are of started runs divided by the fair share, for workspaces with a share of at least ${COUNTED_MIN} runs.`,
  ].join('\n');
}

/** Formats the comparison of the simulation with the service. */
export function checkReport({ handOverMs, points }: Checked): string {
  const pair = (each: { measured: number; simulated: number }) =>
    `${figure(each.measured)} / ${figure(each.simulated)} (${(differenceOf(each) * 100).toFixed(1)} %)`;
  return [
    `Check of the simulation, measured / simulated. From a record to a start, an idle service takes ${figure(handOverMs)} ms. The service is the mean time from a start to an end; the refill is the mean time from there to the next start, before and after.`,
    tableOf(
      [
        'load',
        'runs',
        'service, ms',
        'refill, ms',
        'runs/s',
        'mean delay, ms',
        'p95 of the delay, ms',
        `within ${DIFFERENCE_MAX * 100} %`,
      ],
      points.map((point) => [
        String(point.load),
        String(point.runs),
        figure(point.serviceMs),
        `${figure(point.refillMs.before)}, ${figure(point.refillMs.after)}`,
        pair(point.perSecond),
        pair(point.delayMean),
        pair(point.delayP95),
        point.agrees ? 'yes' : 'NO',
      ]),
    ),
    'Runs a second and the mean delay are judged; the 95th percentile is only shown.',
  ].join('\n');
}

function tableOf(head: string[], rows: string[][]): string {
  const table = new Table({
    head,
    colAligns: head.map((_, at) => (at === 0 ? 'left' : 'right')),
    ...tableStyle,
  });
  table.push(...rows);
  return table.toString();
}

/** Formats a number with three significant digits, and thousands separated. */
function figure(value: number): string {
  if (value === Infinity) return 'no limit';
  if (Math.abs(value) >= 1e6) return Number(value.toPrecision(3)).toLocaleString('en');
  if (Math.abs(value) >= 100) return Math.round(value).toLocaleString('en');
  return String(Number(value.toPrecision(3)));
}
