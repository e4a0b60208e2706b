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

/** A request with every default filled in. Throws the problem of what cannot be scored. */
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
    if (!found) throw new Problem('not_found', `There is no numeric dataset ${dataset_id}.`);
    const { governance } = found;
    if (!governance.governed) {
      const reasons = governance.reasons.join(', ');
      throw new Problem('dataset_not_governed', `The dataset is not governed: ${reasons}.`);
    }
    const known = found.columns.filter(isNumeric).map(({ name }) => name);
    columns = requested ?? known;
    requireColumns(columns, known, { requested: requested !== undefined, rows });
    if (found.rowCount > REFERENCE_MAX) {
      const message = `has ${found.rowCount} rows; ${REFERENCE_MAX} are the most that is learnt from`;
      throw invalid([{ pointer: '/dataset_id', in: 'body', code: 'too_large', message }]);
    }
    if (isSeriesMethod(method)) {
      const faults = [...datasetFaults(found, columns), ...windowFaults(body, found.rowCount)];
      if (faults.length) throw invalid(faults);
    }
    dataset = { id: dataset_id, revision: found.revision, content_hash: found.contentHash };
  }
  // No value of a row has a default, and there may be tens of thousands of them.
  const given = { ...parameters, method, columns, rows: null, reference: null, dataset };
  return { ...(Value.Default(AnomalyInput, given) as AnomalyInput), rows, reference };
}

/** What the schema cannot say: that rows have a value for each column, and that there is something to learn from. */
function shapeFaults(body: AnomalyRequestBody): Fault[] {
  const { columns, rows, reference, dataset_id } = body;
  const faults: Fault[] = [];
  const add = (pointer: string, code: string, message: string) =>
    faults.push({ pointer, in: 'body', code, message });
  if (!rows && !reference && dataset_id === undefined)
    add('/rows', 'required', 'is required without a reference and a dataset');
  if (reference && dataset_id !== undefined)
    add('/reference', 'excluded', 'is not given beside dataset_id: what is usual is one of them');
  const width = columns?.length ?? reference?.[0]?.length ?? rows?.[0]?.length;
  for (const [name, given] of Object.entries({ rows, reference })) {
    const uneven = given?.findIndex((row) => row.length !== width) ?? -1;
    if (uneven >= 0 && !(dataset_id !== undefined && columns === undefined))
      add(`/${name}/${uneven}`, 'length', `must have ${width} values, as many as there are columns`);
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
            message: `is no column of numbers of the dataset; they are ${known.slice(0, 20).join(', ')}`,
          },
        ],
  );
  if (columns.length > COLUMNS_MAX)
    faults.push({
      pointer: '/columns',
      in: 'body',
      code: 'required',
      message: `is required: the dataset has more than ${COLUMNS_MAX} columns of numbers`,
    });
  const uneven = rows?.findIndex((row) => row.length !== columns.length) ?? -1;
  if (uneven >= 0 && !requested)
    faults.push({
      pointer: `/rows/${uneven}`,
      in: 'body',
      code: 'length',
      message: `must have ${columns.length} values: ${columns.slice(0, 20).join(', ')}`,
    });
  if (faults.length) throw invalid(faults);
}
