import { prefixes } from '#lib/core/prefix.ts';
import { Closed, Sha256Of } from '#lib/core/schema.ts';
import { defineRun } from '#lib/pipeline/define-run.ts';
import { tournamentInput } from './tournament-input.query.ts';
import { TournamentInput } from './tournament-input.schema.ts';
import { TournamentRequest } from './tournament-request.schema.ts';
import { TournamentLosses, TournamentResult } from './tournament-result.schema.ts';

/** The run that compares forecasting methods, numeric models or strategies on past origins. */
export const modelTournamentsRun = defineRun({
  key: 'quant.model-tournaments',
  prefix: prefixes.modelTournament,
  queue: 'numerics',
  scope: 'quant:models:run',
  resource: '/quant/model-tournaments',
  model: 'svc_model_tournament_v1',
  request: TournamentRequest,
  input: TournamentInput,
  summary: ['name', 'task', 'horizon', 'as_of'],
  output: Closed({
    input_data: Closed(
      {
        series_sha256: Sha256Of(
          'SHA-256 of the RFC 8785 form of the hashes of all series, in order; for strategies, of the hash of all prices and features.',
        ),
      },
      { description: 'Hash of the values that were read.' },
    ),
    result: TournamentResult,
  }),
  headline: [
    { name: 'verdict', unit: 'code', pointer: '/result/verdict' },
    { name: 'observations', unit: 'observations', pointer: '/result/observations/count' },
  ],
  attachments: Closed({ losses: TournamentLosses }),
  refusals: ['unknown_metric', 'unknown_company'],
  problems: [
    'origins_insufficient',
    'entries_not_comparable',
    'prediction_late',
    'trained_on_outcome',
    'training_data_ineligible',
  ],
  timeoutMs: 1_800_000,
  attempts: 20,
  resolve: (em, request, { now }) => tournamentInput(em, request, now),
});
