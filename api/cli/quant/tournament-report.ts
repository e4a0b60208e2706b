import Table from 'cli-table3';
import type { TournamentInput } from '#lib/quant/tournaments/tournament-input.schema.ts';
import type { TournamentResult } from '#lib/quant/tournaments/tournament-result.schema.ts';
import { shortNumber } from '../forecasting/forecast-plot.ts';
import { tableStyle } from '../shell/output.ts';

/** A sealed tournament, as printed for people. */
export type ShownTournament = {
  uid: string;
  input: TournamentInput;
  result: TournamentResult;
  result_hash: string;
  seal: { hash: string };
};

const verdicts: Record<TournamentResult['verdict'], string> = {
  winner: 'alone in the model confidence set, and better than the baseline',
  baseline_in_set: 'no winner: the baseline is in the model confidence set',
  baseline_best: 'no winner: the baseline has the smallest mean loss',
  tie: 'no winner: the data do not separate the leading entries',
  not_significant: 'no winner: the best entry does not differ from the baseline',
  void: 'no winner: fewer than two entries are left',
};

/** Returns the text of a tournament: its leaderboard, the entries that failed, and the verdict. */
export function tournamentReport({ uid, input, result, result_hash: hash, seal }: ShownTournament): string {
  const { observations, disqualified, verdict, winner, series } = result;
  const { count, kind, origins } = observations;
  const leftOut = series.filter(({ left_out: why }) => why !== null);
  return [
    `${input.name ?? 'tournament'}, ${comparisonOf(input)}, ${lossName(input.loss)} loss, ${origins} origins` +
      (input.task === 'strategies' ? '' : ` of ${series.length - leftOut.length} series`),
    '',
    leaderboard(result),
    `* baseline; p against the baseline (Holm); ${count} observations, each of one ${kind}`,
    ...disqualified.map(
      ({ entry, metric, origin, reason }) => `${entry} failed: ${reason}, ${metric} ${origin}`,
    ),
    ...leftOut.map(({ metric, left_out: why }) => `${metric} is left out: ${why}`),
    '',
    `verdict      ${winner === null ? verdicts[verdict] : `${winner}: ${verdicts[verdict]}`}`,
    `tournament   ${uid}`,
    `result hash  ${hash}`,
    `seal         ${seal.hash}`,
  ].join('\n');
}

function leaderboard({ leaderboard: rows, ranks }: TournamentResult): string {
  const number = (value: number | null) => (value === null ? '' : shortNumber(value));
  const table = new Table({
    head: ['rank', 'entry', 'mean loss', 'skill', ...(ranks ? ['mean rank'] : []), 'in set', 'p'],
    colAligns: ['right', 'left', 'right', 'right', ...(ranks ? ['right' as const] : []), 'left', 'right'],
    ...tableStyle,
  });
  for (const row of rows)
    table.push([
      String(row.rank),
      row.is_baseline ? `${row.entry} *` : row.entry,
      number(row.mean_loss),
      number(row.skill),
      ...(ranks ? [number(row.average_rank)] : []),
      row.in_set ? 'yes' : '',
      number(row.against_baseline?.p_holm ?? null),
    ]);
  return table.toString();
}

function comparisonOf({ task, horizon }: TournamentInput): string {
  return task === 'strategies' ? `returns over ${horizon} sessions` : `${horizon} ahead`;
}

function lossName(loss: TournamentInput['loss']): string {
  if (typeof loss === 'string') return loss;
  return 'pinball' in loss ? `pinball ${loss.pinball.p}` : `interval ${loss.interval.level}`;
}
