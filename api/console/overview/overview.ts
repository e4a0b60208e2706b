import type { IntelligenceSummary, JobList } from '#lib/client/client.ts';
import { delegationsAwaitingVotes, type ApprovalView } from '#lib/actions/delegations/approval-view.query.ts';
import { html, type Html } from '../html.ts';
import { minor, sentence, words } from '../format.ts';
import { number } from '../charts/scale.ts';
import { definePage } from '../page.ts';
import { shortJobColumns } from '../runs/runs.ts';
import { card, fact } from '../shell.ts';
import { empty } from '../states.ts';
import { table } from '../table.ts';

/** The largest number of delegations that the page reads. */
const WAITING_MAX = 50;

type Section = IntelligenceSummary['sections'][number];

/** The console page that corresponds to each link of the summary, by the path of the link. */
const places: Readonly<Record<string, string>> = {
  '/actions/execution-exceptions': '/console/exceptions',
  '/actions/investment-execution': '/console/batches',
  '/actions/agentic/delegations': '/console/approvals',
  '/actions/credit-corporate/obligations': '/console/obligations',
  '/actions/policies': '/console/policies',
  '/quant/compute/jobs': '/console/runs',
  '/trust/evidence-packs': '/console/packs',
  '/workflows/runs': '/console/workflows',
  '/data/datasets': '/console/data',
};

/** The figures of the workspace, the newest runs, the votes that wait for the reader, and the points that need attention. */
export const overviewPage = definePage({
  path: '/console',
  area: 'Overview',
  async render({ read, ask, session, now, may }) {
    const summary = await read<IntelligenceSummary>('intelligence.summary.get');
    const jobs = await read<JobList>('quant.compute.jobs.list', { limit: 8 });
    const waiting = await ask(delegationsAwaitingVotes, session.person.uid, now, WAITING_MAX);
    const own = waiting.filter((each) => each.own?.ok && may('decide'));
    const attention = summary.sections.flatMap((section) => section.attention);
    const ended = jobs.data.filter(({ state }) => state === 'succeeded').length;
    const body = html`<header class="head">
        <div>
          <h1>Overview</h1>
          <p class="meta">
            <span>${session.workspace.name}</span><span>${session.environment}</span
            ><span>${session.person.name}: ${session.person.roles.join(', ')}</span>
          </p>
        </div>
      </header>
      <dl class="facts">
        ${fact('Wait for your vote', html`<a href="/console/approvals">${number(own.length)}</a>`, 'delegations')}
        ${fact('Needs attention', number(attention.reduce((sum, { count }) => sum + count, 0)), 'open points')}
        ${fact('Newest runs', `${ended} of ${jobs.data.length}`, 'succeeded')}
        ${summary.sections.slice(0, 3).map(firstMetric)}
      </dl>
      <div class="grid-2">
        <div class="stack wide">
          ${card(
            { title: 'Newest runs', note: html`<a href="/console/runs">All runs</a>` },
            jobs.data.length === 0
              ? html`${empty('No run was submitted yet.')}
                ${may('submit_runs') && html`<p class="pad"><a class="button" href="/console/new">New run</a></p>`}`
              : table('Newest runs', shortJobColumns(), jobs.data),
          )}
        </div>
        <div class="stack">
          ${card(
            { title: 'Your vote', note: html`<a href="/console/approvals">All approvals</a>` },
            own.length === 0
              ? empty('No delegation waits for your vote.')
              : html`<ul class="lines">
                  ${own.map(waitingLine)}
                </ul>`,
          )}
          ${card(
            { title: 'Needs attention' },
            attention.length === 0
              ? empty('Nothing needs attention.')
              : html`<ul class="lines">
                  ${attention.map(attentionLine)}
                </ul>`,
          )}
        </div>
      </div>
      ${card(
        { title: 'Summary', className: 'after' },
        html`<ul class="lines">
          ${summary.sections.filter(({ text }) => text !== '').map(line)}
        </ul>`,
      )}`;
    return { title: 'Overview', crumbs: [], body };
  },
});

/** Returns the line of a delegation that waits for the reader's vote, with its terms in short. */
function waitingLine({ delegation: { uid, terms }, nodes }: ApprovalView): Html {
  const { budgets, amount_scale: scale, currency } = terms;
  const met = nodes.reduce((sum, node) => sum + node.met, 0);
  const quorum = nodes.reduce((sum, node) => sum + node.quorum, 0);
  return html`<li>
    <a href="/console/delegations/${uid}">Delegation of ${terms.action}</a>
    <span class="pill warn">${met} of ${quorum} votes</span>
    <span class="dim">at most ${minor(budgets.per_day_minor, scale)} ${currency} a day</span>
  </li>`;
}

function firstMetric({ key, metrics }: Section): Html | false {
  const [metric] = metrics;
  if (!metric) return false;
  return fact(sentence(metric.key), valueOf(metric), words(key));
}

function valueOf({ value, currency }: Section['metrics'][number]): string {
  if (value === null) return '–';
  const text = typeof value === 'number' ? number(value, Number.isInteger(value) ? 0 : 2) : String(value);
  return currency === null || currency === undefined ? text : `${text} ${currency}`;
}

function line({ key, status, text }: Section): Html {
  return html`<li>
    <b>${key === 'ai' ? 'AI' : words(key)}</b>
    ${status !== 'ok' && html`<span class="pill warn">${words(status)}</span>`}
    <span class="dim">${text}</span>
  </li>`;
}

function attentionLine({ code, severity, count, link }: Section['attention'][number]): Html {
  const [path = '', query] = (link ?? '').split('?');
  const place = places[path];
  const label = html`${sentence(code)}
    <span class="pill ${severity === 'info' ? 'warn' : 'bad'}">${count}</span>`;
  if (place === undefined) return html`<li>${label}</li>`;
  return html`<li><a href="${place}${query !== undefined && `?${query}`}">${label}</a></li>`;
}
