import type { SealedModelTournamentsRun } from '#lib/client/client.ts';
import { number, percent } from '../charts/scale.ts';
import { bar } from '../charts/small.ts';
import { pill, words } from '../format.ts';
import { html, raw, type Html } from '../html.ts';
import type { PageContent } from '../page.ts';
import { recordView } from '../record-view.ts';
import { card, fact } from '../shell.ts';
import { empty } from '../states.ts';
import { table } from '../table.ts';
import { runHead } from './run-head.ts';
import type { RunResource } from './resource.ts';
import { sealCard } from './seal.ts';

type Run = SealedModelTournamentsRun & RunResource;
type Row = Run['result']['leaderboard'][number];

/** Returns the page of a sealed tournament: the verdict, the leaderboard, the entries without a rank, and the seal. */
export function tournamentBody(run: Run, source: string): Pick<PageContent, 'title' | 'body'> {
  const { result, input } = run;
  const body = html`${runHead(run, 'Tournament', [`loss ${lossOf(input.loss)}`])}
    <dl class="facts">${facts(run)}</dl>
    <div class="grid-2">
      ${card({ title: 'Leaderboard', note: 'smaller losses first', className: 'full' }, leaderboard(result.leaderboard))}
      ${card({ title: 'Left out', className: 'wide' }, disqualified(run))}
      <div class="stack">
        ${sealCard(run.seal, source)}${card({ title: 'Comparison' }, recordView({ ...result.observations, confidence_set: result.confidence_set, ranks: result.ranks }))}
      </div>
      ${card({ title: 'Series', className: 'full' }, recordView(result.series))}
    </div>`;
  return { title: 'Tournament', body };
}

/** Returns the name of a loss, with its parameter. */
function lossOf(loss: Run['input']['loss']): string {
  if (typeof loss === 'string') return words(loss);
  return 'pinball' in loss ? `pinball at ${loss.pinball.p}` : `interval at ${loss.interval.level}`;
}

function facts({ result }: Run): Html[] {
  return [
    fact('Winner', result.winner ?? 'none', words(result.verdict)),
    fact('Entries', number(result.entries.length), `${result.leaders.length} in the confidence set`),
    fact('Baseline', result.baseline),
    fact('Observations', number(result.observations.count), words(result.observations.kind)),
    fact('Origins', number(result.observations.origins)),
  ];
}

function leaderboard(rows: readonly Row[]): Html {
  if (rows.length === 0) return empty('Fewer than two entries are left, so nothing was compared.');
  const most = Math.max(...rows.map(({ mean_loss }) => Math.abs(mean_loss)));
  const probability = (value: number | null | undefined): string =>
    value === null || value === undefined ? '–' : number(value, 3);
  return table(
    'Leaderboard',
    [
      {
        heading: 'Entry',
        cell: ({ entry, is_baseline }) => html`${entry} ${is_baseline && pill('baseline')}`,
      },
      { heading: 'Rank', isNumber: true, cell: ({ rank }) => number(rank, Number.isInteger(rank) ? 0 : 1) },
      { heading: 'Mean loss', isNumber: true, cell: ({ mean_loss }) => number(mean_loss, 4) },
      { heading: 'Loss', cell: ({ mean_loss }) => raw(bar(most > 0 ? Math.abs(mean_loss) / most : 0)) },
      { heading: 'Skill', isNumber: true, cell: ({ skill }) => (skill === null ? '–' : percent(skill)) },
      { heading: 'In the set', cell: ({ in_set }) => (in_set ? 'yes' : 'no') },
      { heading: 'Set p', isNumber: true, cell: ({ set_p }) => probability(set_p) },
      { heading: 'p, best', isNumber: true, cell: ({ against_best }) => probability(against_best?.p_holm) },
      {
        heading: 'p, baseline',
        isNumber: true,
        cell: ({ against_baseline }) => probability(against_baseline?.p_holm),
      },
    ],
    rows,
    'tight',
  );
}

function disqualified({ result }: Run): Html {
  if (result.disqualified.length === 0) return empty('Every entry has a forecast at every origin.');
  return table(
    'Entries that were left out',
    [
      { heading: 'Entry', cell: ({ entry }) => entry },
      { heading: 'Target', cell: ({ metric }) => metric },
      { heading: 'First origin', cell: ({ origin }) => origin },
      { heading: 'Reason', cell: ({ reason }) => words(reason) },
    ],
    result.disqualified,
    'tight',
  );
}
