import type { Fault } from '#lib/core/problem.ts';
import type { NumericDataset } from '#lib/data/numeric-dataset.write.ts';
import { isSeriesMethod, PROFILE_MAX, type AnomalyMethod } from './anomaly-methods.ts';
import type { AnomalyRequestBody } from './anomaly.schema.ts';

/** The method of a request: by its name, or that of what a series is said to have, or that of tables. */
export function methodOf({ method, period, window }: AnomalyRequestBody): AnomalyMethod {
  if (method !== undefined) return method;
  if (period !== undefined) return 'stl_gesd';
  return window === undefined ? 'rank_average' : 'matrix_profile';
}

/** What a method of series needs that a request lacks: its parameter, one column, and windows that can be compared. */
export function seriesFaults(body: AnomalyRequestBody): Fault[] {
  const method = methodOf(body);
  if (!isSeriesMethod(method)) return [];
  const { columns, rows, reference, period, window, dataset_id } = body;
  const faults: Fault[] = [];
  if (method === 'stl_gesd' && period === undefined)
    faults.push(fault('/period', 'required', 'is required by stl_gesd: the rows of a season'));
  if (method === 'matrix_profile' && window === undefined)
    faults.push(fault('/window', 'required', 'is required by matrix_profile: the rows of a window'));
  const width = columns?.length ?? reference?.[0]?.length ?? rows?.[0]?.length ?? 1;
  if (width > 1) {
    const pointer = columns ? '/columns' : reference ? '/reference/0' : '/rows/0';
    faults.push(fault(pointer, 'one_column', `must be one, and not ${width}: ${method} is of a series`));
  }
  const isBesideReference = reference !== undefined || dataset_id !== undefined;
  if (
    method === 'matrix_profile' &&
    window !== undefined &&
    rows &&
    isBesideReference &&
    rows.length < window
  )
    faults.push(fault('/rows', 'length', `must be ${window} at least, the rows of a window`));
  const learnt = reference ?? (dataset_id === undefined ? rows : undefined);
  return learnt ? [...faults, ...windowFaults(body, learnt.length)] : faults;
}

/** Whether the windows of a reference of so many rows are more than can be compared in time. */
export function windowFaults(body: AnomalyRequestBody, learnt: number): Fault[] {
  const { rows, reference, dataset_id, window } = body;
  if (window === undefined || methodOf(body) !== 'matrix_profile') return [];
  const count = (length: number) => Math.max(0, length - window + 1);
  const own = count(learnt) ** 2 / 2;
  const isBeside = rows !== undefined && (reference !== undefined || dataset_id !== undefined);
  const pairs = own + (isBeside ? count(rows.length) * count(learnt) : 0);
  if (pairs * window <= PROFILE_MAX) return [];
  const message = 'is too long for so many rows: all windows would not be compared in time';
  return [fault('/window', 'too_large', message)];
}

/** Why a dataset is no series. */
export function datasetFaults({ hasEntities }: NumericDataset, columns: readonly string[]): Fault[] {
  if (hasEntities)
    return [fault('/dataset_id', 'many_series', 'has rows of several entities, and a series is of one')];
  if (columns.length === 1) return [];
  return [
    fault('/columns', 'one_column', `must be one, and not ${columns.length}: a series is of one column`),
  ];
}

function fault(pointer: string, code: string, message: string): Fault {
  return { pointer, in: 'body', code, message };
}
