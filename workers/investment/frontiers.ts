import { readConstruction } from '#lib/investment/construction/construction-data.query.ts';
import { constructionOfFrontier } from '#lib/investment/frontiers/construction-of-frontier.ts';
import { frontiersRun } from '#lib/investment/frontiers/frontiers.run.ts';
import { divideFrontier, isFrontierDivided } from '#lib/investment/frontiers/portfolio-frontier.ts';
import { runner } from '../process/runner.ts';

export default runner(frontiersRun, {
  /** Reads the events and the market data that the input names. */
  load: (em, { input, datasetRevisions }) =>
    readConstruction(em, constructionOfFrontier(input), datasetRevisions),
  /** Divides the drawn paths of a resampled frontier. */
  divide: divideFrontier,
  isDivided: isFrontierDivided,
  compute: new URL('./frontiers.compute.ts', import.meta.url),
});
