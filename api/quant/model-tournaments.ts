import Type from 'typebox';
import { taskKinds } from '#lib/quant/tournaments/tournament-input.schema.ts';
import { TournamentRequest } from '#lib/quant/tournaments/tournament-request.schema.ts';
import { modelTournamentsRun } from '#lib/quant/tournaments/model-tournaments.run.ts';
import { defineRunList, defineRunRead, defineRunSubmission } from '../run-operations.ts';

export const createModelTournament = defineRunSubmission(modelTournamentsRun, {
  key: 'quant.model_tournaments.create',
  product: 'Quant',
  summary: 'Compares methods, models or strategies on past origins, and says whether one of them wins.',
  description:
    'Every entry forecasts from the same origins, and sees only the values before them. The losses are hashed before ' +
    'ranks are computed. The result has skill against a baseline, tests of equal accuracy, a model confidence set and, ' +
    'for several series, mean ranks. A tournament without a winner is a normal outcome: `winner` is null, and `verdict` ' +
    'has the reason. Strategies are compared by the Sharpe ratios of their returns. A tournament promotes no model.',
  body: TournamentRequest,
  sealed: 'The sealed tournament.',
});

export const listModelTournaments = defineRunList(modelTournamentsRun, {
  key: 'quant.model_tournaments.list',
  product: 'Quant',
  scope: 'quant:models:read',
  addition: false,
  summary: 'Lists the tournaments of the workspace, newest first, without their results.',
  filters: {
    task: Type.Optional(
      Type.Enum([...taskKinds], { description: 'Returns only tournaments with this kind of task.' }),
    ),
  },
});

export const getModelTournament = defineRunRead(modelTournamentsRun, {
  key: 'quant.model_tournaments.get',
  product: 'Quant',
  scope: 'quant:models:read',
  addition: false,
  summary: 'Returns a tournament, and optionally waits until the run ends.',
  noun: 'tournament',
  include: { name: 'losses', description: 'Adds the losses of all entries at all origins.' },
});
