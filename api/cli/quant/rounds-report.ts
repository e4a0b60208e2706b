import Table from 'cli-table3';
import { shortNumber } from '../forecasting/forecast-plot.ts';
import { tableStyle } from '../shell/output.ts';

/** The live rounds of a tournament, as the API returns them. */
export type ShownRounds = {
  tournament_uid: string;
  state: string;
  standing: {
    rounds: number;
    verdict: string;
    winner: string | null;
    leaderboard: {
      entry: string;
      is_baseline: boolean;
      mean_loss: number;
      skill: number | null;
      in_set: boolean | null;
    }[];
  } | null;
  rounds: {
    round: number;
    state: string;
    closes_at: string;
    forecasts_uid: string | null;
    void_reason: string | null;
    score: { series: number; of: number } | null;
  }[];
};

/** Returns the text of live rounds: the leaderboard, then the rounds. */
export function roundsReport({ tournament_uid: uid, state, standing, rounds }: ShownRounds): string {
  return [
    ...(standing ? [leaderboard(standing), '* baseline', ''] : ['no round is scored yet', '']),
    roundTable(rounds),
    '',
    `verdict      ${standing ? verdictOf(standing) : 'none yet'}`,
    `state        ${state}`,
    `tournament   ${uid}`,
  ].join('\n');
}

type Standing = NonNullable<ShownRounds['standing']>;

function leaderboard({ leaderboard: rows }: Standing): string {
  const table = new Table({
    head: ['entry', 'mean loss', 'skill', 'in set'],
    colAligns: ['left', 'right', 'right', 'left'],
    ...tableStyle,
  });
  for (const row of rows)
    table.push([
      row.is_baseline ? `${row.entry} *` : row.entry,
      shortNumber(row.mean_loss),
      row.skill === null ? '' : shortNumber(row.skill),
      row.in_set ? 'yes' : '',
    ]);
  return table.toString();
}

function roundTable(rounds: ShownRounds['rounds']): string {
  const table = new Table({ head: ['round', 'state', 'closes', 'scored', 'forecasts'], ...tableStyle });
  for (const { round, state, closes_at: closes, score, forecasts_uid: uid, void_reason: why } of rounds)
    table.push([
      String(round),
      state,
      closes,
      score ? `${score.series} of ${score.of}` : '',
      uid ?? why ?? '',
    ]);
  return table.toString();
}

function verdictOf({ verdict, winner, rounds }: Standing): string {
  if (winner !== null) return `winner after ${rounds} rounds: ${winner}`;
  if (verdict === 'too_few_rounds') return `no winner: too few scored rounds (${rounds} of at least 20)`;
  return `no winner after ${rounds} rounds: ${verdict}`;
}
