import { assessColumns } from '#lib/models/drift/drift.ts';
import { scenarioRun } from '#lib/models/scenarios/scenario-run.ts';
import { fitIsolationForest } from '#lib/numerics/anomaly/isolation-forest.ts';
import { fitLocalOutlierFactor, fitNeighbourDistance } from '#lib/numerics/anomaly/local-outlier-factor.ts';
import { fitMahalanobis } from '#lib/numerics/anomaly/mahalanobis.ts';
import type { Table } from '#lib/numerics/anomaly/table.ts';
import { fillNormals } from '#lib/numerics/normal-stream.ts';
import { fitRegimes } from '#lib/numerics/regime/regime-em.ts';
import { REGIME_CUTS, startProbabilities } from '#lib/numerics/regime/regime-start.ts';
import { serveRounds } from '../factors/serve-rounds.ts';
import { oneRegime, scenarioOf } from './one-regime.ts';
import { monthlyReturns } from './returns.ts';

/** Runs one case with Assay. Does the work once for each round and reports its processor time. */
const [name, rowsText, columnsText, resultPath] = process.argv.slice(2) as [string, string, string, string];
const [rows, columns] = [Number(rowsText), Number(columnsText)];

function normals(seed: number): Table {
  const values = new Float64Array(rows * columns);
  fillNormals(values, { seed, firstSample: 0, dimensions: columns });
  return { values, dimensions: columns };
}

function work(): () => Float64Array | undefined {
  switch (name) {
    case 'scenarios': {
      const checkpoint = oneRegime(columns);
      const input = scenarioOf(checkpoint, rows);
      return () => {
        const run = scenarioRun(input, checkpoint);
        if (!run.ok) throw new Error(run.detail);
        return undefined;
      };
    }
    case 'drift': {
      const names = Array.from({ length: columns }, (_, column) => `c${column}`);
      const [reference, current] = [normals(1), normals(2)];
      return () => {
        assessColumns({ columns: names, reference, current });
        return undefined;
      };
    }
    case 'regime': {
      const observations = { rows: monthlyReturns(), dimensions: columns };
      return () =>
        Float64Array.from([2, 3], (regimes) => {
          const start = startProbabilities(observations, REGIME_CUTS[regimes]!);
          return fitRegimes(observations, start)!.inference.logLikelihood;
        });
    }
    default: {
      const table = normals(1);
      const fits: Record<string, (reference: Table) => { reference(): unknown }> = {
        isolation_forest: (reference) => fitIsolationForest(reference, { trees: 100, sample: 256, seed: 1 }),
        local_outlier_factor: (reference) => fitLocalOutlierFactor(reference, 20),
        nearest_neighbour: (reference) => fitNeighbourDistance(reference, 5),
        mahalanobis: (reference) => fitMahalanobis(reference),
      };
      const fit = fits[name];
      if (!fit) throw new Error(`there is no case ${name}`);
      return () => {
        fit(table).reference();
        return undefined;
      };
    }
  }
}

await serveRounds(work(), resultPath, () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
});
