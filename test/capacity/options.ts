import { Command, InvalidArgumentError, Option } from 'commander';
import { backendNames, type BackendName } from '../support/backends.ts';
import type { Cell } from './cell.ts';
import { runUnits, units, type Mix, type Unit } from './cost.ts';
import type { Prices } from './fleet.ts';
import { paretoShares, zipfShares } from './simulation/arrivals.ts';

export type CapacityOptions = {
  from?: string;
  json?: string;
  queue: BackendName;
  quick: boolean;
  check: boolean;
  mix: Mix;
  cell: Cell;
  prices: Prices & { currency: string };
  runsPerDay: number[];
  simulation: { workspaces: number; skew: Skew; seed: number };
};

export type Skew = { name: string; sharesOf(workspaces: number, seed: number): number[] };

/** Mostly forecasts, some of the larger runs, two reads a run, and an action for every twentieth. */
const MIX =
  'forecast_run=0.8,scenario_run=0.1,factor_run=0.1,read=2,authorize_and_settle=0.05,register_obligation=0.05,imported_price=10';

export function readOptions(words: readonly string[]): CapacityOptions {
  const number = (text: string) => {
    const value = Number(text);
    if (text.trim() === '' || !Number.isFinite(value) || value < 0)
      throw new InvalidArgumentError('a number that is at least 0');
    return value;
  };
  const program = new Command('capacity')
    .description(
      'Measures what each kind of work takes on this machine, and derives what a cell carries, which limit it reaches first, and what many runs a day cost. Simulates the queue.',
    )
    .option('--from <file>', 'use an earlier measurement instead of measuring')
    .option('--json <file>', 'write the measurement to this file')
    .addOption(
      new Option('--queue <where>', 'where the queue is stored')
        .choices(['redis', 'postgres'])
        .default(backendNames.at(-1)),
    )
    .option('--quick', 'few units: shows that the command works; its figures have no meaning', false)
    .option('--check', 'also compare the simulation with the service on this machine', false)
    .option(
      '--mix <units>',
      `units for each run; kinds of runs add up to 1. Units: ${units.join(', ')}`,
      readMix,
      readMix(MIX),
    )
    .option('--cores <number>', 'processors of a cell', number, 8)
    .option('--memory <GB>', 'memory of a cell', number, 32)
    .option('--iops <number>', 'writes a second of the disk of a cell', number, 3_000)
    .option('--wal <MB/s>', 'bandwidth of the disk for the write-ahead log', number, 125)
    .option('--storage <GB>', 'disk of a cell', number, 16_000)
    .option('--connections <number>', 'connections of PostgreSQL, without those of operators', number, 97)
    .option('--concurrency <number>', 'runs that a worker computes at the same time', number, 2)
    .option('--api-processes <number>', 'API processes of a cell (default: as many as it can use)', number)
    .option('--workers <number>', 'workers of a cell (default: as many as it can use)', number)
    .option('--utilisation <share>', 'the largest share of a resource in use at the peak', number, 0.6)
    .option('--peak <factor>', 'rate of the busiest second, divided by the average of the day', number, 3)
    .option('--retention <days>', 'days for which records are kept', number, 90)
    .option(
      '--runs <list>',
      'runs a day of all cells',
      (text) => text.split(',').map(number),
      [1e6, 1e8, 1e9],
    )
    .option('--price-core <amount>', 'price of a processor with its memory, an hour', number, 0.0408)
    .option('--price-storage <amount>', 'price of a GB of disk, a month', number, 0.08)
    .option('--price-iops <amount>', 'price of a further IOPS, a month', number, 0.005)
    .option('--iops-included <number>', 'IOPS of a cell that the price of the disk includes', number, 3_000)
    .option('--currency <code>', 'currency of the prices', 'USD')
    .option('--workspaces <number>', 'workspaces of the simulation', number, 1_000)
    .option(
      '--skew <law>',
      'shares of the workspaces: zipf:<exponent> or pareto:<shape>',
      readSkew,
      readSkew('zipf:1'),
    )
    .option('--seed <number>', 'seed of the simulation', number, 27)
    .addHelpText(
      'after',
      '\nThe default prices are examples: AWS list prices in us-east-1 in June 2026, for m7g on demand (2 processors and 8 GB for 0.0816 USD an hour) and gp3 disks.',
    )
    .showHelpAfterError()
    .parse(words, { from: 'user' });
  const given = program.opts();
  return {
    ...(given['from'] === undefined ? {} : { from: given['from'] }),
    ...(given['json'] === undefined ? {} : { json: given['json'] }),
    queue: given['queue'],
    quick: given['quick'],
    check: given['check'],
    mix: given['mix'],
    cell: {
      cores: given['cores'],
      memoryGb: given['memory'],
      iops: given['iops'],
      walMbPerS: given['wal'],
      storageGb: given['storage'],
      connections: given['connections'],
      concurrency: given['concurrency'],
      utilisation: given['utilisation'],
      peakFactor: given['peak'],
      retentionDays: given['retention'],
      layout: {
        ...(given['apiProcesses'] === undefined ? {} : { api: given['apiProcesses'] }),
        ...(given['workers'] === undefined ? {} : { workers: given['workers'] }),
      },
    },
    prices: {
      corePerHour: given['priceCore'],
      storageGbPerMonth: given['priceStorage'],
      iopsPerMonth: given['priceIops'],
      iopsIncluded: given['iopsIncluded'],
      currency: given['currency'],
    },
    runsPerDay: given['runs'],
    simulation: { workspaces: given['workspaces'], skew: given['skew'], seed: given['seed'] },
  };
}

/** Reads units for each run, such as `forecast_run=1,read=2`. Throws if a unit is unknown or the runs do not add up to 1. */
export function readMix(text: string): Mix {
  const mix: Mix = {};
  for (const entry of text.split(',')) {
    const [unit, amount, ...more] = entry.split('=');
    if (!units.includes(unit as Unit)) throw new InvalidArgumentError(`there is no unit ${unit}`);
    const value = Number(amount);
    if (!amount || more.length > 0 || !(value >= 0 && Number.isFinite(value)))
      throw new InvalidArgumentError(`the number of ${unit} must be at least 0`);
    mix[unit as Unit] = value;
  }
  const runs = runUnits.reduce((sum, unit) => sum + (mix[unit] ?? 0), 0);
  if (Math.abs(runs - 1) > 1e-9)
    throw new InvalidArgumentError(`the kinds of runs add up to ${runs}, not to 1`);
  return mix;
}

/** Reads a law of shares, such as `zipf:1`. */
export function readSkew(text: string): Skew {
  const [law, parameter] = text.split(':');
  const value = Number(parameter);
  if (!(value > 0 && Number.isFinite(value)) || (law !== 'zipf' && law !== 'pareto'))
    throw new InvalidArgumentError('zipf:<exponent> or pareto:<shape>, each above 0');
  return {
    name: `${law === 'zipf' ? 'Zipf, exponent' : 'Pareto, shape'} ${value}`,
    sharesOf: (workspaces, seed) =>
      law === 'zipf' ? zipfShares(workspaces, value) : paretoShares(workspaces, value, seed),
  };
}
