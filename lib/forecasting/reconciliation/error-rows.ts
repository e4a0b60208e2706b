import { Matrix } from 'ml-matrix';
import type { OriginErrors } from '#lib/forecasting/engine/backtest-errors.ts';

/** The errors of all forecasts from one origin: a row per step, a column per forecast. */
export type ErrorsAtOrigin = { before: number; errors: Matrix };

/**
 * Returns the backtest errors that all forecasts have in common: the origins that lie equally many periods before the
 * end of every series, and the steps that every backtest reaches there. All series must end in the same period.
 */
export function commonErrors(forecasts: readonly (readonly OriginErrors[])[]): ErrorsAtOrigin[] {
  const [first, ...others] = forecasts;
  return first!.flatMap(({ before, errors }) => {
    const columns = [errors];
    for (const other of others) {
      const same = other.find((each) => each.before === before);
      if (!same) return [];
      columns.push(same.errors);
    }
    const steps = Math.min(...columns.map(({ length }) => length));
    const rows = Array.from({ length: steps }, (_, step) => columns.map((column) => column[step]!));
    return [{ before, errors: new Matrix(rows) }];
  });
}

/** Returns the rows of all origins one below the other; undefined without origins. */
export function stacked(origins: readonly ErrorsAtOrigin[]): Matrix | undefined {
  const rows = origins.flatMap(({ errors }) => errors.to2DArray());
  return rows.length > 0 ? new Matrix(rows) : undefined;
}
