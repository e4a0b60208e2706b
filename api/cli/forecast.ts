import type { Command } from 'commander';
import { listRuns } from '#lib/pipeline/run-record.repository.ts';
import { findRun } from '#lib/pipeline/run.repository.ts';
import { Run } from '#lib/pipeline/run.entity.ts';
import { forecastsRun } from '#lib/planning/forecasts.run.ts';
import type { ForecastInput } from '#lib/planning/forecasts.schema.ts';
import { showForecast, type ShownForecast } from './forecast-report.ts';
import { registerAccuracy } from './forecast-accuracy.ts';
import { registerRun } from './forecast-run.ts';
import { asOperator } from './operator.ts';
import { findWorkspace, withJson } from './options.ts';
import { printRows, type OutputOptions } from './output.ts';
import { placeOption } from './place-option.ts';
import { Refusal } from '#lib/core/refusal.ts';
import type { Place } from './on-batch.ts';

const LISTED_MOST = 200;

export function register(program: Command): void {
  const group = program.command('forecast').description('forecasts of metrics');
  registerRun(group);
  registerAccuracy(group);
  withJson(group.command('show <forecast>'))
    .description('draw a sealed forecast, and tell what it is made of')
    .action(async (uid: string, options: OutputOptions) => showForecast(await sealedForecast(uid), options));
  withJson(group.command('list'))
    .description('list the newest ones')
    .requiredOption('--workspace <uid>')
    .addOption(placeOption())
    .option('--metric <name>', 'only those of this metric')
    .action(list);
}

function sealedForecast(uid: string): Promise<ShownForecast> {
  return asOperator(async (operator) => {
    const kind = forecastsRun.key;
    const run = await operator.everywhere((em) => em.findOne(Run, { uid, kind }, { filters: false }));
    if (!run) throw new Refusal('forecast_unknown', `there is no forecast ${uid}`);
    const found = await operator.inWorkspace(
      run.workspaceUid,
      (em) => findRun(em, uid, ['history']),
      run.environment,
    );
    if (!found?.result)
      throw new Refusal('forecast_not_sealed', `the forecast is ${run.state}, not succeeded`);
    const { members, resultHash, seal, attachments } = found.result;
    // The members were checked against the job's declaration before they were sealed.
    return { uid, ...members, result_hash: resultHash, seal, ...attachments } as unknown as ShownForecast;
  });
}

async function list({
  workspace,
  environment,
  metric,
  ...options
}: OutputOptions & Place & { metric?: string }) {
  const runs = await asOperator((operator) =>
    operator.inWorkspace(
      workspace,
      async (em) => {
        await findWorkspace(em, workspace);
        const summary = metric === undefined ? undefined : { metric };
        return listRuns(em, { kind: forecastsRun.key, summary, after: undefined, most: LISTED_MOST });
      },
      environment,
    ),
  );
  printRows(
    runs.map(({ uid, state, createdAt, problem, ...run }) => {
      const {
        metric: of,
        company_id,
        horizon,
      } = run.summary as Pick<ForecastInput, 'metric' | 'company_id' | 'horizon'>;
      const created_at = createdAt.toISOString();
      return { uid, metric: of, company_id, horizon, state, problem: problem?.code ?? null, created_at };
    }),
    options,
  );
}
