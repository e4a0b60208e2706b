import type { Command } from 'commander';
import { Refusal } from '#lib/core/refusal.ts';
import { listRuns, type ListedRun } from '#lib/pipeline/run-record.query.ts';
import { findRun } from '#lib/pipeline/run.write.ts';
import { forecastPlace } from '#lib/forecasting/forecast.query.ts';
import { forecastsRun } from '#lib/forecasting/forecasts.run.ts';
import type { ForecastInput } from '#lib/forecasting/forecasts.schema.ts';
import { showForecast, type ShownForecast } from './forecast-report.ts';
import { registerAccuracy } from './forecast-accuracy.ts';
import { registerRun } from './forecast-run.ts';
import type { Tenant } from '#lib/database/base.ts';
import { asOperator } from '../shell/operator.ts';
import { withJson } from '../shell/options.ts';
import { printRows, type OutputOptions } from '../shell/output.ts';
import { askIn } from '../shell/ask.ts';
import { inPlaceOf } from '../shell/place.ts';

const LISTED_MAX = 200;

export function register(program: Command): void {
  const group = program.command('forecast');
  registerRun(group);
  registerAccuracy(group);
  withJson(group.command('show <forecast>'))
    .description('plot a sealed forecast, and show the methods behind it')
    .action(async (uid: string, options: OutputOptions) => showForecast(await sealedForecast(uid), options));
  inPlaceOf(group.command('list'), 'list the newest forecasts')
    .option('--metric <name>', 'only forecasts of this metric')
    .action(list);
}

function sealedForecast(uid: string): Promise<ShownForecast> {
  return asOperator(async (operator) => {
    const run = await operator.query('everywhere', forecastPlace, uid);
    if (!run) throw new Refusal('forecast_unknown', `there is no forecast ${uid}`);
    const found = await operator.query(run.place, findRun, uid, ['history']);
    if (!found?.result)
      throw new Refusal(
        'forecast_not_sealed',
        `the forecast is ${run.state}; only a succeeded forecast can be shown`,
      );
    const { members, resultHash, seal, attachments } = found.result;
    // The members were checked against the job's declaration before they were sealed.
    return { uid, ...members, result_hash: resultHash, seal, ...attachments } as unknown as ShownForecast;
  });
}

type ListOptions = OutputOptions & Tenant & { metric?: string };

async function list({ workspace, environment, metric, ...options }: ListOptions): Promise<void> {
  const summary = metric === undefined ? undefined : { metric };
  const requested = { kind: forecastsRun.key, summary, after: undefined, limit: LISTED_MAX };
  printRows(await askIn({ workspace, environment }, listRuns, requested), options, row);
}

function row({ uid, state, createdAt, problem, summary }: ListedRun) {
  const { metric, company_id, horizon } = summary as Pick<ForecastInput, 'metric' | 'company_id' | 'horizon'>;
  const created_at = createdAt.toISOString();
  return { uid, metric, company_id, horizon, state, problem: problem?.code ?? null, created_at };
}
