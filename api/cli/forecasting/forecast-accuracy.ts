import type { Command } from 'commander';
import { scoredForecasts, type ScoredInput } from '#lib/forecasting/forecast.query.ts';
import type { Tenant } from '#lib/database/base.ts';
import { printRows, type OutputOptions } from '../shell/output.ts';
import { askIn } from '../shell/ask.ts';
import { inPlaceOf } from '../shell/place.ts';

const SHOWN_MAX = 1_000;

type AccuracyOptions = OutputOptions & Tenant & { metric?: string };

export function registerAccuracy(group: Command): void {
  inPlaceOf(group.command('accuracy'), 'compare forecasts with the values known since, newest first')
    .option('--metric <name>', 'only forecasts of this metric')
    .action(async ({ workspace, environment, metric, ...options }: AccuracyOptions) => {
      const scored = await askIn({ workspace, environment }, scoredForecasts, SHOWN_MAX);
      const shown = scored.filter(({ input }) => metric === undefined || input.metric === metric);
      printRows(shown, options, row);
    });
}

function row({ runUid, score, input }: ScoredInput) {
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
