import type { TournamentRounds } from '#lib/client/client.ts';
import { Problem } from '#lib/core/problem.ts';
import { number } from '../charts/scale.ts';
import { instant, pill, words } from '../format.ts';
import { html, type Html } from '../html.ts';
import type { PageCall } from '../page.ts';
import { recordView } from '../record-view.ts';
import { card } from '../shell.ts';
import { empty } from '../states.ts';
import { table } from '../table.ts';
import type { RunResource } from './resource.ts';

/** Returns the card of a tournament's live rounds with their comparison; nothing if the tournament has none. */
export async function liveRoundsCard({ read }: PageCall, { uid, input }: RunResource): Promise<Html | false> {
  if (input['live'] === undefined || input['live'] === null) return false;
  const found = await read<TournamentRounds>('quant.model_tournaments.rounds', { uid }).catch(noRounds);
  if (!found) return card({ title: 'Live rounds', className: 'full' }, empty('No live round was planned.'));
  const { state, standing, rounds } = found;
  return card(
    { title: 'Live rounds', note: pill(state), className: 'full' },
    html`${table(
      'Live rounds',
      [
        { heading: 'Round', isNumber: true, cell: ({ round }) => round },
        { heading: 'State', cell: (round) => pill(round.state) },
        { heading: 'Opens, UTC', cell: ({ opens_at }) => instant(opens_at) },
        { heading: 'Closes, UTC', cell: ({ closes_at }) => instant(closes_at) },
        {
          heading: 'Sealed forecasts',
          cell: ({ forecasts_uid: sealed }) =>
            sealed === null ? '–' : html`<a class="mono" href="/console/runs/${sealed}">${sealed}</a>`,
        },
        { heading: 'Void because', cell: ({ void_reason }) => words(void_reason ?? '–') },
        { heading: 'Ended, UTC', cell: ({ ended_at }) => instant(ended_at) },
      ],
      rounds,
      'tight',
    )}
    ${
      standing !== null &&
      html`<div class="pad">
        <p>${number(standing.rounds)} rounds are scored.</p>
        ${recordView(standing)}
      </div>`
    }`,
  );
}

/** Returns undefined if the tournament has no rounds. Throws other errors. */
function noRounds(error: unknown): undefined {
  if (error instanceof Problem && error.code === 'not_found') return undefined;
  throw error;
}
