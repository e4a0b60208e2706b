import { simulationData } from '#lib/quant/simulations/simulation-data.query.ts';
import type { SimulationData } from '#lib/quant/simulations/simulation-data.ts';
import { simulationParts } from '#lib/quant/simulations/simulation-parts.ts';
import { simulationsRun } from '#lib/quant/simulations/simulations.run.ts';
import { runner } from '../process/runner.ts';

export default runner(simulationsRun, {
  load: (em, { input, datasetRevisions }): Promise<SimulationData> =>
    simulationData(em, input, datasetRevisions),
  /** Divides the paths of a large simulation. */
  divide: (input, round) => (round === 0 ? simulationParts(input) : null),
  compute: new URL('./simulations.compute.ts', import.meta.url),
});
