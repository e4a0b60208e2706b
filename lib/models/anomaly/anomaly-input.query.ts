import { Value } from 'typebox/value';
import { invalid, Problem, type Fault } from '#lib/core/problem.ts';
import { isNumeric } from '#lib/data/numeric-columns.ts';
import { findNumericDataset } from '#lib/data/numeric-dataset.write.ts';
import type { Em } from '#lib/database/base.ts';
import { isSeriesMethod } from './anomaly-methods.ts';
import {
  AnomalyInput,
  CELLS_MAX,
  COLUMNS_MAX,
  REFERENCE_MAX,
  type AnomalyRequestBody,
} from './anomaly.schema.ts';
import { datasetFaults, methodOf, seriesFaults, windowFaults } from './series-request.ts';

/** Returns the request with every default filled in. Throws a problem if the request cannot be scored. */
export async function anomalyInput(em: Em, body: AnomalyRequestBody): Promise<AnomalyInput> {
  const shape = shapeFaults(body);
  if (shape.length) throw invalid(shape);
  const { columns: requested, rows = null, reference = null, dataset_id, ...parameters } = body;
  const method = methodOf(body);
  const width = requested?.length ?? reference?.[0]?.length ?? rows?.[0]?.length ?? 0;
  let columns = requested ?? Array.from({ length: width }, (_, at) => `column_${at + 1}`);
  let dataset: AnomalyInput['dataset'] = null;
  if (dataset_id !== undefined) {
    const found = await findNumericDataset(em, dataset_id);
    if (!found) throw new Problem('not_found', `The numeric dataset ${dataset_id} does not exist.`);
    const { governance } = found;
    if (!governance.governed) {
      const reasons = governance.reasons.join(', ');
      throw new Problem('dataset_not_governed', `The dataset is not governed: ${reasons}.`);
    }
    const known = found.columns.filter(isNumeric).map(({ name }) => name);
    columns = requested ?? known;
    requireColumns(columns, known, { requested: requested !== undefined, rows });
    if (found.rowCount > REFERENCE_MAX) {
      const message = `has ${found.rowCount} rows; the reference can have at most ${REFERENCE_MAX}`;
      throw invalid([{ pointer: '/dataset_id', in: 'body', code: 'too_large', message }]);
    }
    if (isSeriesMethod(method)) {
      const faults = [...datasetFaults(found, columns), ...windowFaults(body, found.rowCount)];
      if (faults.length) throw invalid(faults);
    }
    dataset = { id: dataset_id, revision: found.revision, content_hash: found.contentHash };
  }
  // The rows are set after the defaults are applied: values in rows have no defaults, and there may be tens of
  // thousands of rows.
  const given = { ...parameters, method, columns, rows: null, reference: null, dataset };
  return { ...(Value.Default(AnomalyInput, given) as AnomalyInput), rows, reference };
}

/**
 * Returns the faults that the schema cannot express: rows without a value for each column, and a missing reference.
 */
function shapeFaults(body: AnomalyRequestBody): Fault[] {
  const { columns, rows, reference, dataset_id } = body;
  const faults: Fault[] = [];
  const add = (pointer: string, code: string, message: string) =>
    faults.push({ pointer, in: 'body', code, message });
  if (!rows && !reference && dataset_id === undefined)
    add('/rows', 'required', 'is required without a reference or a dataset');
  if (reference && dataset_id !== undefined)
    add('/reference', 'excluded', 'cannot be combined with dataset_id; send only one reference');
  const width = columns?.length ?? reference?.[0]?.length ?? rows?.[0]?.length;
  for (const [name, given] of Object.entries({ rows, reference })) {
    const uneven = given?.findIndex((row) => row.length !== width) ?? -1;
    if (uneven >= 0 && !(dataset_id !== undefined && columns === undefined))
      add(`/${name}/${uneven}`, 'length', `must have ${width} values, one per column`);
    if (given && given.length * (width ?? 1) > CELLS_MAX)
      add(`/${name}`, 'max_cells', `must not have more than ${CELLS_MAX} values`);
  }
  return [...faults, ...seriesFaults(body)];
}

function requireColumns(
  columns: readonly string[],
  known: readonly string[],
  { requested, rows }: { requested: boolean; rows: readonly (readonly number[])[] | null },
): void {
  const faults: Fault[] = columns.flatMap((name, at) =>
    known.includes(name)
      ? []
      : [
          {
            pointer: `/columns/${at}`,
            in: 'body' as const,
            code: 'unknown_column',
            message: `is not a numeric column of the dataset; use ${known.slice(0, 20).join(', ')}`,
          },
        ],
  );
  if (columns.length > COLUMNS_MAX)
    faults.push({
      pointer: '/columns',
      in: 'body',
      code: 'required',
      message: `is required because the dataset has more than ${COLUMNS_MAX} numeric columns`,
    });
  const uneven = rows?.findIndex((row) => row.length !== columns.length) ?? -1;
  if (uneven >= 0 && !requested)
    faults.push({
      pointer: `/rows/${uneven}`,
      in: 'body',
      code: 'length',
      message: `must have ${columns.length} values, one for each of the columns ${columns.slice(0, 20).join(', ')}`,
    });
  if (faults.length) throw invalid(faults);
}
