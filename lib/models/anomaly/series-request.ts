import type { Fault } from '#lib/core/problem.ts';
import type { NumericDataset } from '#lib/data/numeric-dataset.write.ts';
import { isSeriesMethod, PROFILE_MAX, type AnomalyMethod } from './anomaly-methods.ts';
import type { AnomalyRequestBody } from './anomaly.schema.ts';

/**
 * Returns the method of a request: the named method, otherwise the method of the given series parameter, otherwise the
 * default for tables.
 */
export function methodOf({ method, period, window }: AnomalyRequestBody): AnomalyMethod {
  if (method !== undefined) return method;
  if (period !== undefined) return 'stl_gesd';
  return window === undefined ? 'rank_average' : 'matrix_profile';
}

/**
 * Returns the faults of a request for a series method: a missing parameter, several columns, or windows that cannot be
 * compared.
 */
export function seriesFaults(body: AnomalyRequestBody): Fault[] {
  const method = methodOf(body);
  if (!isSeriesMethod(method)) return [];
  const { columns, rows, reference, period, window, dataset_id } = body;
  const faults: Fault[] = [];
  if (method === 'stl_gesd' && period === undefined)
    faults.push(fault('/period', 'required', 'is required by stl_gesd: the season length in rows'));
  if (method === 'matrix_profile' && window === undefined)
    faults.push(fault('/window', 'required', 'is required by matrix_profile: the window length in rows'));
  const width = columns?.length ?? reference?.[0]?.length ?? rows?.[0]?.length ?? 1;
  if (width > 1) {
    const pointer = columns ? '/columns' : reference ? '/reference/0' : '/rows/0';
    faults.push(fault(pointer, 'one_column', `must be one column, not ${width}: ${method} scores a series`));
  }
  const isBesideReference = reference !== undefined || dataset_id !== undefined;
  if (
    method === 'matrix_profile' &&
    window !== undefined &&
    rows &&
    isBesideReference &&
    rows.length < window
  )
    faults.push(fault('/rows', 'length', `must have at least ${window} rows, the window length`));
  const learnt = reference ?? (dataset_id === undefined ? rows : undefined);
  return learnt ? [...faults, ...windowFaults(body, learnt.length)] : faults;
}

/**
 * Returns a fault if a run cannot compare all windows within its time limit: the windows of a reference of `learnt`
 * rows with each other and, if other rows are scored, with the windows of those rows.
 */
export function windowFaults(body: AnomalyRequestBody, learnt: number): Fault[] {
  const { rows, reference, dataset_id, window } = body;
  if (window === undefined || methodOf(body) !== 'matrix_profile') return [];
  const count = (length: number) => Math.max(0, length - window + 1);
  const own = count(learnt) ** 2 / 2;
  const isBeside = rows !== undefined && (reference !== undefined || dataset_id !== undefined);
  const pairs = own + (isBeside ? count(rows.length) * count(learnt) : 0);
  if (pairs * window <= PROFILE_MAX) return [];
  const message = 'is too long for this number of rows: comparing all windows would take too long';
  return [fault('/window', 'too_large', message)];
}

/** Returns the reasons why a dataset is not a series. */
export function datasetFaults({ hasEntities }: NumericDataset, columns: readonly string[]): Fault[] {
  if (hasEntities)
    return [
      fault(
        '/dataset_id',
        'many_series',
        'has rows of several entities; a series must have rows of one entity',
      ),
    ];
  if (columns.length === 1) return [];
  return [
    fault('/columns', 'one_column', `must be one column, not ${columns.length}: a series has one column`),
  ];
}

function fault(pointer: string, code: string, message: string): Fault {
  return { pointer, in: 'body', code, message };
}
