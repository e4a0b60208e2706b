import { ln } from '#lib/numerics/natural-log.ts';
import { inUnit } from '../adjusted-method.ts';
import type { Fit, Form, ForecastMethod, Series } from '../method.ts';
import { differenced, estimate, parametersOf, type Estimate } from './estimate.ts';
import { forecastArima } from './forecast.ts';
import { describeOrders, type ArimaOrders } from './orders.ts';
import { scaleToUnit } from '../unit-scale.ts';
import { searchOrders } from './stepwise.ts';

export type ArimaForm = Form & ArimaOrders;

/**
 * Seasonal ARIMA. A stepwise search chooses the orders, and exact maximum likelihood estimates the parameters.
 *
 * Supports series of at least three values. If an origin of a backtest has too few values for the orders, the model
 * keeps only the differences, and the constant if possible.
 */
export const arima: ForecastMethod<ArimaForm> = {
  key: 'arima',
  serves: ({ values }) => values.length >= 3,
  choose: ({ values, period }) => formOf(searchOrders(scaleToUnit(values).values, period)),
  fit: fitArima,
};

export function formOf(orders: ArimaOrders): ArimaForm {
  return { name: describeOrders(orders), ...orders };
}

export function fitArima(series: Series, form: ArimaForm): Fit {
  const { values, unit } = scaleToUnit(series.values);
  const orders = fitting(form, values.length);
  const found = estimate(differenced(values, orders), orders);
  const logLikelihood = found.likelihood.logLikelihood - found.likelihood.filtered.errors.length * ln(unit);
  return {
    parameters: parametersIn(found, unit),
    ...(Number.isFinite(logLikelihood) && { logLikelihood }),
    forecast: (horizon) => inUnit(forecastArima(values, found, horizon), unit),
  };
}

/** Returns the orders, reduced as needed for a series of `n` values. */
function fitting(form: ArimaForm, n: number): ArimaOrders {
  const { p, d, q, P, D, Q, period, constant } = form;
  const orders = { p, d, q, P, D, Q, period, constant };
  if (n - d - D * period > parametersOf(orders)) return orders;
  const differences = { d: Math.min(d, Math.max(0, n - 2)), D: n > 2 * period ? D : 0 };
  return { ...orders, p: 0, q: 0, P: 0, Q: 0, ...differences, constant: constant && n > 3 };
}

function parametersIn({ orders, coefficients, likelihood }: Estimate, unit: number): Record<string, number> {
  const parameters: Record<string, number> = {};
  const name = (prefix: string, values: Float64Array): void =>
    values.forEach((value, i) => (parameters[`${prefix}${i + 1}`] = value));
  name('ar', coefficients.ar);
  name('ma', coefficients.ma);
  name('sar', coefficients.seasonalAr);
  name('sma', coefficients.seasonalMa);
  const { d, D, period, constant } = orders;
  if (constant)
    parameters[d + D === 0 ? 'mean' : 'drift'] =
      (likelihood.constant * unit) / (d === 0 && D > 0 ? period : 1);
  parameters.sigma = Math.sqrt(likelihood.variance) * unit;
  return parameters;
}
