import Type, { type Static } from 'typebox';
import { Closed, Nullable, Sha256Of } from '#lib/core/schema.ts';
import { EntryName } from '../tournament-request.schema.ts';
import { ROUND_LIMITS } from './live-plan.schema.ts';
import type { RoundScore } from './score-round.ts';

export const RoundScoreResource = Closed(
  {
    series: Type.Integer({ minimum: 0, description: 'Number of series whose values are known.' }),
    of: Type.Integer({ minimum: 0, description: 'Number of series that were forecast.' }),
    losses: Type.Array(
      Closed(
        {
          entry: EntryName,
          loss: Nullable(
            Type.Number({ minimum: 0, description: 'Mean loss over the series whose values are known.' }),
            'Mean loss over the series whose values are known; null before the first value, and without a forecast.',
          ),
        },
        { description: 'The loss of an entry.' },
      ),
      { maxItems: ROUND_LIMITS.entries + 1, description: 'The losses, in the order of the entries.' },
    ),
    losses_sha256: Sha256Of('SHA-256 of the RFC 8785 form of `losses`.'),
  },
  { title: 'TournamentRoundScore', description: 'The losses of a round.' },
);

/** Returns a score as JSON. */
export function presentScore({ series, of, losses, sha256 }: RoundScore): Static<typeof RoundScoreResource> {
  return { series, of, losses: losses.map(({ entry, loss }) => ({ entry, loss })), losses_sha256: sha256 };
}
