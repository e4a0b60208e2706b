import Type, { type Static } from 'typebox';
import { prefixes } from '#lib/core/prefix.ts';
import { Closed, InstantOf, Nullable, Uid } from '#lib/core/schema.ts';
import { findRunRecord } from '#lib/pipeline/run-record.query.ts';
import { modelTournamentsRun } from '#lib/quant/tournaments/model-tournaments.run.ts';
import { ROUND_LIMITS } from '#lib/quant/tournaments/rounds/live-plan.schema.ts';
import { LiveStandingResource, presentStanding } from '#lib/quant/tournaments/rounds/live-standing.schema.ts';
import { newestStanding } from '#lib/quant/tournaments/rounds/newest-standing.ts';
import { RoundScoreResource, presentScore } from '#lib/quant/tournaments/rounds/round-score.schema.ts';
import { RoundNumber } from '#lib/quant/tournaments/rounds/tournament-round.schema.ts';
import {
  liveState,
  liveStates,
  roundStates,
  voidReasons,
} from '#lib/quant/tournaments/rounds/tournament-round.ts';
import type { TournamentRound } from '#lib/quant/tournaments/rounds/tournament-round.entity.ts';
import { roundsOf } from '#lib/quant/tournaments/rounds/tournament-rounds.query.ts';
import { defineOperation } from '../../services.ts';

const Round = Closed(
  {
    round: RoundNumber,
    state: Type.Enum([...roundStates], {
      description:
        'The state: `planned` before the opening, `open` until the close, `scoring` until all values are known, `resolved` with losses, `void` without losses.',
    }),
    opens_at: InstantOf('When the round opens.'),
    closes_at: InstantOf('When the round closes. Its forecasts use the data that is known then.'),
    forecasts_uid: Nullable(
      Uid(prefixes.tournamentRound, 'The run that seals the forecasts.'),
      'The run that seals the forecasts: `GET /quant/tournament-rounds/{uid}`. Null before the close.',
    ),
    void_reason: Nullable(
      Type.Enum([...voidReasons], {
        description:
          'Why the round is void. `not_sealed`: the forecasts could not be submitted in time. `sealing_failed`: their run failed. `not_observed`: no value became known.',
      }),
      'Why the round is void. Null otherwise.',
    ),
    score: Nullable(
      RoundScoreResource,
      'The losses over the values known so far. Null before the first scoring.',
    ),
    ended_at: Nullable(InstantOf('When the round ended.'), 'When the round ended; null if it has not ended.'),
  },
  { title: 'TournamentRound', description: 'A live round of a tournament.' },
);

const TournamentRounds = Closed(
  {
    tournament_uid: Uid(prefixes.modelTournament, 'The tournament.'),
    state: Type.Enum([...liveStates], {
      description:
        'The state: `open` while a round is planned or open, `scoring` while a round waits for values, then `resolved`, or `void` without a comparison.',
    }),
    standing: Nullable(
      LiveStandingResource,
      'The comparison over the scored rounds. Null before the first scored round.',
    ),
    rounds: Type.Array(Round, { maxItems: ROUND_LIMITS.rounds, description: 'The rounds, in order.' }),
  },
  {
    title: 'TournamentRounds',
    description: 'The live rounds of a tournament with their leaderboard.',
  },
);

export const getTournamentRounds = defineOperation({
  key: 'quant.model_tournaments.rounds',
  product: 'Quant',
  method: 'GET',
  path: '/quant/model-tournaments/{uid}/rounds',
  scope: 'quant:models:read',
  addition: true,
  summary: 'Returns the live rounds of a tournament, and their leaderboard.',
  description:
    'The forecasts of a round are sealed at its close, before the values are known. Losses are recorded as the values ' +
    'become known. With fewer than 20 scored rounds, there are no ranks and no winner.',
  success: { status: 200, description: 'The rounds.', schema: TournamentRounds },
  problems: ['not_found'],
  async handle({ services, params, fail }) {
    const rounds = await services.query(async (em) => {
      const found = await roundsOf(em, params.uid);
      if (found.length > 0) return found;
      const run = await findRunRecord(em, params.uid);
      return run?.kind === modelTournamentsRun.key ? 'none' : undefined;
    });
    if (rounds === undefined) return fail('not_found', 'There is no such tournament.');
    if (rounds === 'none') return fail('not_found', 'The tournament has no live rounds.');
    const standing = newestStanding(rounds);
    const states = rounds.map(({ state }) => state);
    const body: Static<typeof TournamentRounds> = {
      tournament_uid: params.uid,
      state: liveState(states, standing),
      standing: standing && presentStanding(standing),
      rounds: rounds.map(presentRound),
    };
    return { status: 200, body };
  },
});

function presentRound(round: TournamentRound): Static<typeof Round> {
  return {
    round: round.round,
    state: round.state,
    opens_at: round.opensAt.toISOString(),
    closes_at: round.closesAt.toISOString(),
    forecasts_uid: round.runUid ?? null,
    void_reason: round.reason ?? null,
    score: round.score ? presentScore(round.score) : null,
    ended_at: round.endedAt?.toISOString() ?? null,
  };
}
