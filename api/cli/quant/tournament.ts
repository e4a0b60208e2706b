import type { Command } from 'commander';
import { Refusal } from '#lib/core/refusal.ts';
import type { Tenant } from '#lib/database/base.ts';
import { listRuns, type ListedRun } from '#lib/pipeline/run-record.query.ts';
import { modelTournamentsRun } from '#lib/quant/tournaments/model-tournaments.run.ts';
import type { TournamentInput } from '#lib/quant/tournaments/tournament-input.schema.ts';
import { askIn } from '../shell/ask.ts';
import { withJson } from '../shell/options.ts';
import { print, printRows, type OutputOptions } from '../shell/output.ts';
import { inPlaceOf } from '../shell/place.ts';
import { readOnService, runOnService, withService, type ServiceOptions } from '../shell/run-on-service.ts';
import { readJson } from './read-json.ts';
import { roundsReport, type ShownRounds } from './rounds-report.ts';
import { tournamentReport, type ShownTournament } from './tournament-report.ts';

const PATH = `/api/v2${modelTournamentsRun.resource}`;
const LISTED_MAX = 200;

type ShowOptions = OutputOptions & ServiceOptions;

export function register(program: Command): void {
  const group = program.command('tournament');
  withService(withJson(group.command('run <file>')))
    .description('run the tournament of a JSON file on the running service, and print its leaderboard')
    .action(async (file: string, options: ShowOptions) => {
      const body = await readJson(file);
      show(await runOnService<ShownTournament>(options, { resource: PATH, body }), options);
    });
  withService(withJson(group.command('show <tournament>')))
    .description('print the leaderboard of a sealed tournament of the running service')
    .action(async (uid: string, options: ShowOptions) => {
      show(await readOnService<ShownTournament>(options, `${PATH}/${encodeURIComponent(uid)}`), options);
    });
  withService(withJson(group.command('rounds <tournament>')))
    .description('print the live rounds of a tournament of the running service, and their leaderboard')
    .action(async (uid: string, options: ShowOptions) => {
      const path = `${PATH}/${encodeURIComponent(uid)}/rounds`;
      const rounds = await readOnService<ShownRounds>(options, path);
      if (options.json) print(rounds, options);
      else process.stdout.write(`${roundsReport(rounds)}\n`);
    });
  inPlaceOf(group.command('list'), 'list the newest tournaments').action(list);
}

function show(run: ShownTournament, options: ShowOptions): void {
  if (options.json) print(run, options);
  else if (!('result' in run))
    throw new Refusal('tournament_not_sealed', 'only a succeeded tournament can be shown');
  else process.stdout.write(`${tournamentReport(run)}\n`);
}

async function list({ workspace, environment, ...options }: OutputOptions & Tenant): Promise<void> {
  const requested = {
    kind: modelTournamentsRun.key,
    summary: undefined,
    after: undefined,
    limit: LISTED_MAX,
  };
  printRows(await askIn({ workspace, environment }, listRuns, requested), options, row);
}

function row({ uid, state, createdAt, problem, summary }: ListedRun) {
  const { name, task, horizon } = summary as Pick<TournamentInput, 'name' | 'task' | 'horizon'>;
  return {
    uid,
    name,
    task,
    horizon,
    state,
    problem: problem?.code ?? null,
    created_at: createdAt.toISOString(),
  };
}
