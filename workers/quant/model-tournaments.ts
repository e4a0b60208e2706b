import { tournamentData } from '#lib/quant/tournaments/tournament-data.query.ts';
import { strategiesData } from '#lib/quant/tournaments/strategies/strategies-data.query.ts';
import type { StrategiesData } from '#lib/quant/tournaments/strategies/strategies-data.ts';
import { trialsByFamily } from '#lib/quant/tournaments/strategies/strategy-trials.ts';
import { recordTrials } from '#lib/quant/trials/trials.write.ts';
import { tournamentParts } from '#lib/quant/tournaments/tournament-parts.ts';
import { planRounds } from '#lib/quant/tournaments/rounds/tournament-rounds.query.ts';
import type { TournamentData } from '#lib/quant/tournaments/tournament-series.ts';
import { modelTournamentsRun } from '#lib/quant/tournaments/model-tournaments.run.ts';
import { runner } from '../process/runner.ts';

export default runner(modelTournamentsRun, {
  load: (em, { input, datasetRevisions }): Promise<TournamentData | StrategiesData> =>
    input.task === 'strategies'
      ? strategiesData(em, input, datasetRevisions)
      : tournamentData(em, input, datasetRevisions),
  /** Divides the origins or the strategies of a large tournament. */
  divide: (input, round) => (round === 0 ? tournamentParts(input) : null),
  /**
   * Plans the live rounds of a resolved tournament, which has at least two entries left. Adds strategies to the trials
   * of their families.
   */
  async record(em, { uid, input, output, now }) {
    for (const { family, trials } of trialsByFamily(input, output.result))
      await recordTrials(em, { family, run: uid, trials });
    if (input.live && output.result.state === 'resolved') planRounds(em, uid, input.live, now);
  },
  compute: new URL('./model-tournaments.compute.ts', import.meta.url),
});
