import { constructionRun } from '#lib/investment/construction/construction.run.ts';
import { readConstruction } from '#lib/investment/construction/construction-data.query.ts';
import { runner } from '../process/runner.ts';

export default runner(constructionRun, {
  /** Reads the events and the market data that the input names. */
  load: (em, { input, datasetRevisions }) => readConstruction(em, input, datasetRevisions),
  compute: new URL('./construction.compute.ts', import.meta.url),
});
