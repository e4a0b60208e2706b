import { tournamentData } from '#lib/quant/tournaments/tournament-data.query.ts';
import { tournamentParts } from '#lib/quant/tournaments/tournament-parts.ts';
import { planRounds } from '#lib/quant/tournaments/rounds/tournament-rounds.query.ts';
import type { TournamentData } from '#lib/quant/tournaments/tournament-series.ts';
import { modelTournamentsRun } from '#lib/quant/tournaments/model-tournaments.run.ts';
import { runner } from '../process/runner.ts';

export default runner(modelTournamentsRun, {
  load: (em, { input, datasetRevisions }): Promise<TournamentData> =>
    tournamentData(em, input, datasetRevisions),
  /** Divides the origins of a large tournament. */
  divide: (input, round) => (round === 0 ? tournamentParts(input) : null),
  /** Plans the live rounds. A tournament with fewer than two entries left has none. */
  async record(em, { uid, input, output, now }) {
    if (input.live && output.result.state === 'resolved') planRounds(em, uid, input.live, now);
  },
  compute: new URL('./model-tournaments.compute.ts', import.meta.url),
});
