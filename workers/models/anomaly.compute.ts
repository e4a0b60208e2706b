import { anomalyFindings, referenceNeeded } from '#lib/models/anomaly/anomaly.ts';
import type { ComputationOf } from '../process/runner.ts';
import type runner from './anomaly.ts';

export const compute: ComputationOf<typeof runner> = (input, loaded) => {
  const dimensions = input.columns.length;
  const tableOf = (rows: readonly (readonly number[])[]) => ({
    values: Float64Array.from(rows.flat()),
    dimensions,
  });
  const learnt = input.reference ?? (loaded ? null : input.rows!);
  const reference = learnt ? tableOf(learnt) : { values: loaded!.values, dimensions };
  const isItself = input.rows === null || (!loaded && input.reference === null);
  const observed = reference.values.length / dimensions;
  const needed = referenceNeeded(input, isItself);
  if (observed < needed) {
    const detail = `The reference has ${observed} complete rows; at least ${needed} are required.`;
    return { ok: false, refusal: { code: 'reference_too_small', detail, members: { observed, needed } } };
  }
  const gaps = reference.values.reduce((count, value) => count + Number(Number.isNaN(value)), 0);
  if (gaps > 0) {
    const detail = `${gaps} of ${observed} rows of the series have no value; the method needs a value in every row.`;
    return { ok: false, refusal: { code: 'too_many_gaps', detail, members: { observed: gaps, needed: 0 } } };
  }
  const { scores, result } = anomalyFindings(input, reference, isItself ? null : tableOf(input.rows!));
  return {
    ok: true,
    output: { result: { ...result, left_out: loaded?.leftOut ?? 0 } },
    attachments: { scores },
  };
};
