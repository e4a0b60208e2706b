import Type, { type Static } from 'typebox';
import { Closed, Nullable, Sha256Of } from '#lib/core/schema.ts';
import { Maybe } from '#lib/investment/risk/risk-members.schema.ts';
import { EntryName } from '../tournament-request.schema.ts';
import { ROUND_LIMITS } from './live-plan.schema.ts';
import { liveVerdicts, type LiveStanding } from './live-verdict.ts';
import { RoundNumber } from './tournament-round.schema.ts';

const ENTRIES_MAX = ROUND_LIMITS.entries + 1;

export const LiveStandingResource = Closed(
  {
    rounds: Type.Integer({ minimum: 1, description: 'Number of scored rounds.' }),
    verdict: Type.Enum([...liveVerdicts], {
      description:
        'Why there is a winner or none, as for a tournament. `too_few_rounds`: fewer than 20 rounds are scored.',
    }),
    winner: Nullable(EntryName, 'The winner; null if there is none.'),
    leaders: Type.Array(EntryName, {
      maxItems: ENTRIES_MAX,
      description: 'The entries in the model confidence set; empty below 20 rounds.',
    }),
    leaderboard: Type.Array(
      Closed(
        {
          entry: EntryName,
          is_baseline: Type.Boolean({ description: 'Whether the entry is the baseline.' }),
          mean_loss: Type.Number({ minimum: 0, description: 'Mean loss over the scored rounds.' }),
          skill: Maybe(
            '1 - mean loss / mean loss of the baseline. Null if the baseline has no loss above 0.',
          ),
          rank: Maybe('Rank of the mean loss. Null below 20 rounds.'),
          in_set: Nullable(
            Type.Boolean({ description: 'Whether the entry is in the model confidence set.' }),
            'Whether the entry is in the model confidence set. Null below 20 rounds.',
          ),
          p_holm: Maybe('p-value against the baseline (Holm). Null for the baseline and below 20 rounds.'),
        },
        { title: 'LiveLeaderboardRow', description: 'An entry on the leaderboard of the live rounds.' },
      ),
      { maxItems: ENTRIES_MAX, description: 'The entries that are compared, by mean loss.' },
    ),
    disqualified: Type.Array(
      Closed(
        { entry: EntryName, round: RoundNumber },
        { description: 'An entry without a loss in a round.' },
      ),
      {
        maxItems: ENTRIES_MAX,
        description: 'Entries without a loss in a scored round, each with the first such round.',
      },
    ),
    losses_sha256: Sha256Of('SHA-256 of the RFC 8785 form of `{round, losses}` of all scored rounds.'),
  },
  { title: 'LiveStanding', description: 'The comparison of the entries over the scored rounds.' },
);

/** Returns a comparison over scored rounds as JSON. */
export function presentStanding(standing: LiveStanding): Static<typeof LiveStandingResource> {
  const { rounds, verdict, winner, leaders, rows, disqualified, lossesSha256 } = standing;
  return {
    rounds,
    verdict,
    winner,
    leaders,
    leaderboard: rows.map((row) => ({
      entry: row.entry,
      is_baseline: row.isBaseline,
      mean_loss: row.meanLoss,
      skill: row.skill,
      rank: row.rank,
      in_set: row.isInSet,
      p_holm: row.pHolm,
    })),
    disqualified: disqualified.map(({ entry, round }) => ({ entry, round })),
    losses_sha256: lossesSha256,
  };
}
