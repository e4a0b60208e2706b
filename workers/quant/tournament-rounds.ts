import { tournamentData } from '#lib/quant/tournaments/tournament-data.query.ts';
import { tournamentRoundsRun } from '#lib/quant/tournaments/rounds/tournament-rounds.run.ts';
import type { TournamentData } from '#lib/quant/tournaments/tournament-series.ts';
import { runner } from '../process/runner.ts';

export default runner(tournamentRoundsRun, {
  load: (em, { input, datasetRevisions }): Promise<TournamentData> =>
    tournamentData(em, { ...input, dataset: null }, datasetRevisions),
  compute: new URL('./tournament-rounds.compute.ts', import.meta.url),
});
