import { delegationsAwaitingVotes, type ApprovalView } from '#lib/actions/delegations/approval-view.query.ts';
import { instant, minor, pill, words } from '../format.ts';
import { html, type Html } from '../html.ts';
import { definePage } from '../page.ts';
import { card, fact } from '../shell.ts';
import { empty } from '../states.ts';
import { table, type TableColumn } from '../table.ts';
import { placeOf } from './decisions.ts';

/** The largest number of delegations that the page reads. */
const SHOWN_MAX = 50;

type List = { readonly data: readonly Readonly<Record<string, unknown>>[] };

/** The open decisions: first those that the reader can make, then those that only other persons can make. */
export const approvalsPage = definePage({
  path: '/console/approvals',
  area: 'Approvals',
  async render({ read, ask, session, now, may }) {
    const exceptions = await read<List>('actions.execution_exceptions.list', { state: 'open' });
    const waiting = await ask(delegationsAwaitingVotes, session.person.uid, now, SHOWN_MAX);
    const mine = waiting.filter(({ own }) => own?.ok && may('decide'));
    const others = waiting.filter((each) => !mine.includes(each));
    const body = html`<header class="head">
        <div>
          <h1>Approvals</h1>
          <p class="meta">Decisions that wait for persons</p>
        </div>
      </header>
      <dl class="facts">
        ${fact('Wait for you', String(mine.length), 'delegations')}
        ${fact('Wait for others', String(others.length), 'delegations')}
        ${fact('Open exceptions', html`<a href="/console/exceptions?state=open">${exceptions.data.length}</a>`, 'of settlement')}
      </dl>
      <div class="stack">
        ${card(
          { title: 'Wait for your vote' },
          mine.length === 0
            ? empty('No delegation waits for your vote.')
            : table('Delegations that wait for your vote', columns(now), mine),
        )}
        ${
          others.length > 0 &&
          card(
            { title: 'Wait for other persons' },
            table(
              'Delegations that wait for other persons',
              [...columns(now), { heading: 'Why not you', cell: ({ own }: ApprovalView) => whyNot(own) }],
              others,
            ),
          )
        }
      </div>`;
    return { title: 'Approvals', crumbs: [['Approvals']], body };
  },
});

function whyNot(own: ApprovalView['own']): Html | string {
  return own && !own.ok ? html`<span title="${own.detail}">${words(own.code)}</span>` : '–';
}

function columns(now: Date): TableColumn<ApprovalView>[] {
  return [
    {
      heading: 'Delegation',
      cell: ({ delegation: { uid } }) => html`<a class="mono" href="${placeOf(uid)}">${uid}</a>`,
    },
    { heading: 'State', cell: ({ delegation: { state } }) => pill(state) },
    { heading: 'Action', cell: ({ delegation: { terms } }) => terms.action },
    { heading: 'Tier', cell: ({ delegation: { terms } }) => terms.risk_tier },
    {
      heading: 'Per day',
      isNumber: true,
      cell: ({ delegation: { terms } }) =>
        `${minor(terms.budgets.per_day_minor, terms.amount_scale)} ${terms.currency}`,
    },
    {
      heading: 'Votes',
      isNumber: true,
      cell: ({ nodes, openNode }) => {
        const open = nodes.find(({ position }) => position === openNode);
        return open ? `${open.met} of ${open.quorum} at ${open.key}` : '–';
      },
    },
    {
      heading: 'Waits',
      isNumber: true,
      cell: ({ delegation: { createdAt } }) => age(now.getTime() - createdAt.getTime()),
    },
    { heading: 'Ends, UTC', cell: ({ deadline }) => instant(deadline.toISOString()) },
  ];
}

function age(ms: number): string {
  const hours = Math.floor(ms / 3_600_000);
  return hours < 48 ? `${hours} h` : `${Math.floor(hours / 24)} d`;
}
