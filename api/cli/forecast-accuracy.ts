import { ForecastScoreRecord } from '#lib/planning/forecast-score.entity.ts';
import { Run } from '#lib/pipeline/run.entity.ts';
import type { ForecastInput } from '#lib/planning/forecasts.schema.ts';
import type { Command } from 'commander';
import { asOperator } from './operator.ts';
import { findWorkspace, withJson } from './options.ts';
import { printRows, type OutputOptions } from './output.ts';
import { placeOption } from './place-option.ts';
import type { Place } from './on-batch.ts';

const SHOWN_MOST = 1_000;

export function registerAccuracy(group: Command): void {
  withJson(group.command('accuracy'))
    .description('how forecasts came out, by the values that are known since; newest first')
    .requiredOption('--workspace <uid>')
    .addOption(placeOption())
    .option('--metric <name>', 'only those of this metric')
    .action(
      async ({ workspace, environment, metric, ...options }: OutputOptions & Place & { metric?: string }) => {
        const scored = await asOperator((operator) =>
          operator.inWorkspace(
            workspace,
            async (em) => {
              await findWorkspace(em, workspace);
              const scores = await em.find(
                ForecastScoreRecord,
                {},
                { orderBy: { runUid: 'desc' }, limit: SHOWN_MOST },
              );
              const runs = await em.find(
                Run,
                { uid: { $in: scores.map(({ runUid }) => runUid) } },
                { fields: ['uid', 'input'] },
              );
              const inputs = new Map(runs.map(({ uid, input }) => [uid, input as ForecastInput]));
              return scores.map((each) => ({ ...each, input: inputs.get(each.runUid)! }));
            },
            environment,
          ),
        );
        printRows(
          scored.filter(({ input }) => metric === undefined || input.metric === metric).map(row),
          options,
        );
      },
    );
}

function row({
  runUid,
  score,
  input,
}: Pick<ForecastScoreRecord, 'runUid' | 'score'> & { input: ForecastInput }) {
  const { periods, of, lastPeriod, mae, smape, mase, coverage } = score;
  return {
    uid: runUid,
    metric: input.metric,
    company_id: input.company_id,
    known: `${periods} of ${of}`,
    until: lastPeriod,
    mae: Number(mae.toPrecision(5)),
    smape: Number(smape.toPrecision(4)),
    mase: mase === null ? null : Number(mase.toPrecision(4)),
    coverage: coverage.map(({ level, inside, of: all }) => `${level} %: ${inside}/${all}`).join(', '),
  };
}
