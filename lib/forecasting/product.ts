import { defineProduct } from '#lib/core/product.ts';

/** Forecasts of metrics, single and in batches, and their accuracy. */
export const forecasting = defineProduct({
  folder: 'forecasting',
  serves: { Planning: { paths: ['/planning'], about: 'Sealed forecasts of metrics.' } },
  uses: ['ledger'],
  scopes: ['planning:forecast:create', 'planning:read'],
  prefixes: {
    forecast: 'fct',
    forecastBatch: 'fcb',
    forecastReconciliation: 'fcr',
  },
  problems: {
    unknown_metric: { status: 422, title: 'The metric does not exist' },
    unknown_company: { status: 422, title: 'The company does not exist in the workspace' },
    insufficient_history: { status: 422, title: 'The series has too few values to forecast' },
    horizon_out_of_bounds: { status: 422, title: 'The horizon is out of bounds' },
    non_finite_value: { status: 422, title: 'A value of the series is not finite' },
    method_not_applicable: { status: 422, title: 'The method does not support the series' },
    calendar_not_applicable: { status: 422, title: 'The calendar cannot adjust the series' },
    frequency_unavailable: { status: 422, title: 'The metric is not available at this frequency' },
    unknown_forecast: { status: 422, title: 'The forecast does not exist or is not sealed' },
    forecasts_not_alike: { status: 422, title: 'The forecasts cannot be reconciled with one another' },
    parts_do_not_add_up: { status: 422, title: 'The parts of a total do not add up to it' },
    currencies_mixed: { status: 422, title: 'The amounts are in several currencies' },
  },
  tables: {
    /** The API role writes the requested batches. A stored batch can be cancelled, but not changed in any other way. */
    forecast_batch: {
      rows: 'environment',
      operator: 'select',
      api: 'select, insert, update (cancelled_at)',
      worker: 'select',
    },
    forecast_batch_item: { rows: 'environment', operator: 'select', api: 'select, insert', worker: 'select' },
    forecast_score: {
      rows: 'environment',
      operator: 'select',
      api: 'select',
      worker: 'select, insert, update',
    },
    forecast_watch: {
      rows: 'environment',
      operator: 'select',
      api: 'select',
      worker: 'select, insert, update (look_at), delete',
    },
  },
});
