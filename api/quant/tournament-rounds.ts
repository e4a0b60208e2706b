import Type from 'typebox';
import { prefixes } from '#lib/core/prefix.ts';
import { Uid } from '#lib/core/schema.ts';
import { tournamentRoundsRun } from '#lib/quant/tournaments/rounds/tournament-rounds.run.ts';
import { defineRunList, defineRunRead } from '../run-operations.ts';

export const listTournamentRounds = defineRunList(tournamentRoundsRun, {
  key: 'quant.tournament_rounds.list',
  product: 'Quant',
  scope: 'quant:models:read',
  summary: 'Lists the sealed forecasts of live rounds, newest first.',
  filters: {
    tournament_uid: Type.Optional(
      Uid(prefixes.modelTournament, 'Returns only the rounds of this tournament.'),
    ),
  },
});

export const getTournamentRound = defineRunRead(tournamentRoundsRun, {
  key: 'quant.tournament_rounds.get',
  product: 'Quant',
  scope: 'quant:models:read',
  summary: 'Returns the sealed forecasts of a live round.',
  noun: 'round',
  include: { name: 'forecasts', description: 'Adds the forecasts of all entries.' },
});
