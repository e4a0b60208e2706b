import { COMBINATION } from '#lib/forecasting/engine/method-catalogue.ts';

/** The OWA on `m4_dev.jsonl.gz`, by group. */
export type GroupOwa = { yearly: number; quarterly: number; monthly: number; all: number };

/**
 * The result of R 4.2.2 with `forecast` 8.20 on `m4_dev.jsonl.gz`, by the key of Assay's corresponding
 * method. The result is stored, because R needs half an hour to compute it. The combination is compared with
 * the best of ets, auto.arima and thetaf by backtest, in which R estimates each form and each parameter
 * again.
 */
export const owaOfR: Readonly<Record<string, GroupOwa>> = {
  [COMBINATION]: { yearly: 0.941, quarterly: 0.887, monthly: 0.84, all: 0.8791 },
  naive: { yearly: 1, quarterly: 1.075, monthly: 1.139, all: 1.0806 },
  seasonal_naive: { yearly: 1, quarterly: 1.107, monthly: 1.061, all: 1.0514 },
  ses: { yearly: 0.984, quarterly: 0.958, monthly: 0.863, all: 0.9174 },
  holt: { yearly: 1.045, quarterly: 1.011, monthly: 0.925, all: 0.9761 },
  damped_holt: { yearly: 0.841, quarterly: 0.937, monthly: 0.845, all: 0.8623 },
  theta: { yearly: 0.868, quarterly: 0.951, monthly: 0.816, all: 0.8569 },
  ets: { yearly: 1.038, quarterly: 0.892, monthly: 0.862, all: 0.9168 },
  arima: { yearly: 0.916, quarterly: 0.876, monthly: 0.858, all: 0.8815 },
  dynamic_theta: { yearly: 0.808, quarterly: 0.911, monthly: 0.81, all: 0.8298 },
  ces_adjusted: { yearly: 0.936, quarterly: 0.954, monthly: 0.851, all: 0.8979 },
  mstl_ets: { yearly: 1, quarterly: 0.888, monthly: 0.869, all: 0.9122 },
  arima_adjusted: { yearly: 0.916, quarterly: 0.918, monthly: 0.877, all: 0.9011 },
  theta_box_cox: { yearly: 0.805, quarterly: 0.909, monthly: 0.806, all: 0.8249 },
  dynamic_theta_box_cox: { yearly: 0.858, quarterly: 0.908, monthly: 0.798, all: 0.8391 },
  damped_holt_box_cox: { yearly: 0.835, quarterly: 0.919, monthly: 0.826, all: 0.8444 },
  holt_winters_damped: { yearly: 0.841, quarterly: 0.958, monthly: 0.852, all: 0.8718 },
};

/**
 * The best MSIS of R's ets, auto.arima and thetaf on all of `m4_dev.jsonl.gz`. It is the MSIS of thetaf.
 */
export const MSIS_OF_R = 10.8;
