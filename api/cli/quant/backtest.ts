import type { Command } from 'commander';
import { Refusal } from '#lib/core/refusal.ts';
import type { Tenant } from '#lib/database/base.ts';
import { listRuns, type ListedRun } from '#lib/pipeline/run-record.query.ts';
import type { BacktestInput } from '#lib/quant/backtests/backtest-input.schema.ts';
import { backtestsRun } from '#lib/quant/backtests/backtests.run.ts';
import { askIn } from '../shell/ask.ts';
import { withJson } from '../shell/options.ts';
import { print, printRows, type OutputOptions } from '../shell/output.ts';
import { inPlaceOf } from '../shell/place.ts';
import { readOnService, runOnService, withService, type ServiceOptions } from '../shell/run-on-service.ts';
import { readJson } from './read-json.ts';
import { tearSheet, type ShownBacktest } from './tear-sheet.ts';

const PATH = '/api/v2/quant/compute/backtests';
const LISTED_MAX = 200;

type ShowOptions = OutputOptions & ServiceOptions & { plot?: boolean };
type RunOptions = ShowOptions & Partial<Record<'from' | 'to' | 'asOf' | 'benchmark', string>>;

export function register(program: Command): void {
  const group = program.command('backtest');
  withService(withJson(group.command('run <file>')))
    .description('simulate the strategy of a JSON file on the running service, and print its tear sheet')
    .option('--from <date>', 'the first day, YYYY-MM-DD (default: `from` of the file)')
    .option('--to <date>', 'the last day, YYYY-MM-DD (default: `to` of the file)')
    .option('--as-of <date>', 'use only data known by the end of this day, YYYY-MM-DD (default: today)')
    .option('--benchmark <symbol>', 'the symbol to compare with')
    .option('--plot', 'also plot the value and the drawdown, and print the monthly returns')
    .action(async (file: string, options: RunOptions) => show(await run(file, options), options));
  withService(withJson(group.command('show <backtest>')))
    .description('print the tear sheet of a sealed backtest of the running service')
    .option('--plot', 'also plot the value and the drawdown, and print the monthly returns')
    .action(async (uid: string, options: ShowOptions) => {
      show(await readOnService<ShownBacktest>(options, `${PATH}/${encodeURIComponent(uid)}`), options);
    });
  inPlaceOf(group.command('list'), 'list the newest backtests').action(list);
}

/** Runs the backtest request in a file. The file contains a strategy, or a whole request with the member `strategy`. */
async function run(
  file: string,
  { from, to, asOf, benchmark, ...options }: RunOptions,
): Promise<ShownBacktest> {
  const written = await readJson(file);
  const body = {
    ...('strategy' in written ? written : { strategy: written }),
    ...(from === undefined ? {} : { from }),
    ...(to === undefined ? {} : { to }),
    ...(asOf === undefined ? {} : { as_of: asOf }),
    ...(benchmark === undefined ? {} : { benchmark: { symbol: benchmark } }),
  };
  return runOnService<ShownBacktest>(options, { resource: PATH, body });
}

function show(run: ShownBacktest, options: ShowOptions): void {
  if (options.json) print(run, options);
  else if (!('result' in run))
    throw new Refusal('backtest_not_sealed', 'only a succeeded backtest can be shown');
  else process.stdout.write(`${tearSheet(run, { plots: options.plot ?? false })}\n`);
}

async function list({ workspace, environment, ...options }: OutputOptions & Tenant): Promise<void> {
  const requested = { kind: backtestsRun.key, summary: undefined, after: undefined, limit: LISTED_MAX };
  printRows(await askIn({ workspace, environment }, listRuns, requested), options, row);
}

function row({ uid, state, createdAt, problem, summary }: ListedRun) {
  const { family, from, to } = summary as Pick<BacktestInput, 'family' | 'from' | 'to'>;
  return {
    uid,
    family: family.slice(0, 12),
    from,
    to,
    state,
    problem: problem?.code ?? null,
    created_at: createdAt.toISOString(),
  };
}
