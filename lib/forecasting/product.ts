import { defineProduct } from '#lib/core/product.ts';

/** Forecasts of metrics, in batches too, and how they came out. */
export const forecasting = defineProduct({
  folder: 'forecasting',
  serves: { Planning: { paths: ['/planning'], about: 'Forecasts, sealed.' } },
  uses: ['ledger'],
  scopes: ['planning:forecast:create', 'planning:read'],
  prefixes: {
    forecast: 'fct',
    forecastBatch: 'fcb',
  },
  problems: {
    unknown_metric: { status: 422, title: 'There is no such metric' },
    unknown_company: { status: 422, title: 'The workspace has no such company' },
    insufficient_history: { status: 422, title: 'Too little history to forecast' },
    horizon_out_of_bounds: { status: 422, title: 'The horizon is out of bounds' },
    non_finite_value: { status: 422, title: 'A value of the series is not finite' },
    method_not_applicable: { status: 422, title: 'The method cannot take the series' },
    calendar_not_applicable: { status: 422, title: 'The series cannot be adjusted by the calendar' },
    frequency_unavailable: { status: 422, title: 'The metric is not observed so often' },
    currencies_mixed: { status: 422, title: 'The metric is in several currencies' },
  },
  tables: {
    /** Whoever asks for forecasts writes what was asked for; that it was cancelled is all that changes. */
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
