import { assessColumns } from '#lib/models/drift/drift.ts';
import { isDrifted } from '#lib/models/drift/drift-rule.ts';
import { fillNormals } from '#lib/numerics/normal-stream.ts';

/**
 * Returns the share of runs that report drift in any of 20 columns although nothing has drifted. The
 * reference and the current data of a run have `rows` rows each, all from one normal distribution. All rows
 * are derived from `seed`, and no two runs share rows.
 */
export function falseAlarms({ rows, runs, seed }: { rows: number; runs: number; seed: number }): number {
  const dimensions = 20;
  const columns = Array.from({ length: dimensions }, (_, at) => `c${at}`);
  let alarms = 0;
  for (let run = 0; run < runs; run += 1) {
    const values = new Float64Array(2 * rows * dimensions);
    fillNormals(values, { seed, firstSample: run * 2 * rows, dimensions });
    const middle = rows * dimensions;
    const found = assessColumns({
      columns,
      reference: { values: values.subarray(0, middle), dimensions },
      current: { values: values.subarray(middle), dimensions },
    });
    if (found.some(({ verdict }) => isDrifted(verdict.state))) alarms += 1;
  }
  return alarms / runs;
}
