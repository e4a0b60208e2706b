import type { Em } from '#lib/database/base.ts';
import { forecastModelOf } from '#lib/forecasting/engine/forecast-models.ts';
import type { ForecastHistory, ForecastInput, ForecastOutput } from '#lib/forecasting/forecasts.schema.ts';
import { reconciliationsRun } from '#lib/forecasting/reconciliation/reconciliations.run.ts';
import type { SealedForecast } from '#lib/forecasting/reconciliation/sealed-forecast.ts';
import { findWithResult } from '#lib/pipeline/run-result.query.ts';
import { runner } from '../process/runner.ts';

/** The sealed forecasts, in the order of the input. */
export type ReconciliationData = { forecasts: SealedForecast[] };

export default runner(reconciliationsRun, {
  /** Reads the sealed forecasts with their histories. Throws if a forecast is not the one that the input names. */
  load: async (em, { input }): Promise<ReconciliationData> => {
    const forecasts: SealedForecast[] = [];
    for (const { forecast, result_hash } of input.forecasts)
      forecasts.push(await sealedForecast(em, forecast, result_hash));
    return { forecasts };
  },
  compute: new URL('./reconciliations.compute.ts', import.meta.url),
});

async function sealedForecast(em: Em, uid: string, resultHash: string): Promise<SealedForecast> {
  const found = await findWithResult(em, uid, ['history']);
  if (found?.result?.resultHash !== resultHash)
    throw new Error(`the forecast ${uid} is not the one of the input`);
  const { run, result } = found;
  // The input and the result were checked against the schemas before the run was sealed, so the casts are safe.
  return {
    input: run.input as ForecastInput,
    result: result.members['result'] as ForecastOutput,
    history: result.attachments['history'] as ForecastHistory,
    model: forecastModelOf(run.modelKey),
  };
}
