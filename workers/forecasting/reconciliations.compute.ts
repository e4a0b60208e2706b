import { reconcileForecasts } from '#lib/forecasting/reconciliation/reconcile-forecasts.ts';
import type { ComputationOf } from '../process/runner.ts';
import type runner from './reconciliations.ts';

export const compute: ComputationOf<typeof runner> = (input, { forecasts }) => {
  const reconciled = reconcileForecasts(input, forecasts);
  return reconciled.ok
    ? { ok: true, output: { result: reconciled.result }, attachments: {} }
    : { ok: false, refusal: reconciled.refusal };
};
