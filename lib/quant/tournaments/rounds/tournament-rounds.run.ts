import { prefixes } from '#lib/core/prefix.ts';
import { Closed, Sha256Of } from '#lib/core/schema.ts';
import { defineRun } from '#lib/pipeline/define-run.ts';
import { roundInput } from './round-input.query.ts';
import { RoundForecasts, RoundInput, RoundRequest, RoundResult } from './tournament-round.schema.ts';

/** The run that seals the forecasts of a live round. The scheduler submits it at the close of the round. */
export const tournamentRoundsRun = defineRun({
  key: 'quant.tournament-rounds',
  prefix: prefixes.tournamentRound,
  queue: 'numerics',
  scope: 'quant:models:run',
  resource: '/quant/tournament-rounds',
  isScheduled: true,
  model: 'svc_model_tournament_v1',
  request: RoundRequest,
  input: RoundInput,
  summary: ['tournament_uid', 'round', 'as_of'],
  output: Closed({
    input_data: Closed(
      {
        series_sha256: Sha256Of('SHA-256 of the RFC 8785 form of the known values of all series, in order.'),
      },
      { description: 'Hash of the values that were read.' },
    ),
    result: RoundResult,
  }),
  attachments: Closed({ forecasts: RoundForecasts }),
  refusals: ['not_found'],
  problems: ['origins_insufficient'],
  timeoutMs: 600_000,
  attempts: 20,
  resolve: (em, request, { now }) => roundInput(em, request, now),
});
