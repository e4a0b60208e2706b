import type { Delegation } from '#lib/client/client.ts';
import { voteDocument } from '#lib/actions/delegations/vote-document.ts';
import { readApproval, type ApprovalView } from '#lib/actions/delegations/approval-view.query.ts';
import { findDetails } from '#lib/actions/delegations/delegation.query.ts';
import { decisionForm, decisionNotice, type DecisionButton } from '../decision-form.ts';
import { bullet } from '../charts/bullet.ts';
import { approvalGraph } from '../charts/approval-graph.ts';
import { instant, minor, pill, words } from '../format.ts';
import { html, raw, type Html } from '../html.ts';
import { definePage, type PageCall } from '../page.ts';
import { recordView } from '../record-view.ts';
import { card, fact } from '../shell.ts';
import { empty } from '../states.ts';
import { table } from '../table.ts';
import { delegationDecisions, doneTexts, placeOf } from './decisions.ts';
import { changedTerms, changesTable, seenTermsFields } from './terms.ts';

/** A delegation: its terms and budgets, the persons who decide, their votes, and the decisions of the reader. */
export const delegationPage = definePage({
  path: '/console/delegations/:id',
  area: 'Delegations',
  decisions: delegationDecisions,
  async document({ params, session, read, ask, now }) {
    const uid = params['id']!;
    await read('actions.agentic.delegations.get', { uid }); // throws if the delegation does not exist
    const view = await ask(readApproval, uid, session.person.uid, now);
    return voteDocument(view!.delegation, view!.votes);
  },
  async render(call) {
    const uid = call.params['id']!;
    const record = await call.read<Delegation>('actions.agentic.delegations.get', { uid });
    const view = (await call.ask(readApproval, uid, call.session.person.uid, call.now))!;
    const { action, currency, risk_tier, execution_mode, terms_hash } = record;
    const body = html`<header class="head">
        <div>
          <h1>${action} by ${record.identity.name}</h1>
          <p class="meta">
            ${pill(record.state)}<span>tier ${risk_tier}</span><span>${words(execution_mode)}</span
            ><span>drafted ${instant(record.created_at)} UTC</span><span class="mono">${uid}</span>
          </p>
        </div>
        <div class="acts"><button type="button" data-copy="${uid}">Copy uid</button></div>
      </header>
      ${decisionNotice(call, doneTexts)}
      <dl class="facts">
        ${fact('Votes', votesOf(view), view.openNode === null ? 'no node is open' : `node ${view.openNode} is open`)}
        ${fact('Per action', minor(record.budgets.per_action_minor, record.amount_scale), currency)}
        ${fact('Per day', minor(record.budgets.per_day_minor, record.amount_scale), currency)}
        ${fact('Per month', minor(record.budgets.per_month_minor, record.amount_scale), currency)}
        ${fact('Valid until', record.valid_until.slice(0, 10), record.time_zone)}
        ${fact(
          record.state === 'draft' ? 'Draft ends' : 'May act',
          record.state === 'draft'
            ? view.deadline.toISOString().slice(0, 10)
            : record.execution_authority.granted
              ? 'yes'
              : 'no',
          record.execution_authority.reason === null ? '' : words(record.execution_authority.reason),
        )}
      </dl>
      <div class="grid-2">
        <div class="stack wide">
          ${card({ title: 'Approval', note: `graph version ${record.approval.graph.version}` }, approvalBody(view))}
          ${await decideCard(call, record, view)}
          ${card({ title: 'Votes', note: html`<a href="${placeOf(uid)}/json" download="${uid}-votes.json">download, to verify offline</a>` }, votesTable(view))}
        </div>
        <div class="stack">
          ${card({ title: 'Budgets', note: record.currency }, budgets(record))}
          ${card({ title: 'Terms', note: html`<span class="mono dim" title="${terms_hash}">${terms_hash.slice(0, 12)}…</span>` }, termsOf(view))}
          ${await replacedCard(call, record, view)}
        </div>
      </div>`;
    return { title: 'Delegation', crumbs: [['Delegations', '/console/delegations'], [uid]], body };
  },
});

function votesOf({ nodes }: ApprovalView): string {
  const sum = (pick: (node: ApprovalView['nodes'][number]) => number) =>
    nodes.reduce((total, node) => total + pick(node), 0);
  return `${sum(({ met }) => met)} of ${sum(({ quorum }) => quorum)}`;
}

function approvalBody({ nodes, openNode, drafters, delegation }: ApprovalView): Html {
  const drawn = approvalGraph(
    {
      nodes: nodes.map(({ key, met, quorum, voters }) => ({
        name: key,
        met,
        quorum,
        voters: voters.map(({ name }) => name),
      })),
      open: openNode,
      end: delegation.state === 'draft' ? 'activated' : delegation.state,
    },
    `Approval graph: ${nodes.map(({ key, met, quorum }) => `${key} ${met} of ${quorum} votes`).join(', ')}`,
  );
  return html`<section class="scroll graph" tabindex="0" aria-label="Approval graph">${raw(drawn)}</section>
    ${table(
      'Persons who may vote',
      [
        { heading: 'Node', cell: ({ position, key }) => `${position}. ${key}` },
        { heading: 'Votes', isNumber: true, cell: ({ met, quorum }) => `${met} of ${quorum}` },
        { heading: 'Roles', cell: ({ roles }) => (roles.length > 0 ? roles.map(words).join(', ') : '–') },
        {
          heading: 'May vote',
          cell: ({ eligible }) => eligible.map(({ name }) => name).join(', ') || 'nobody',
        },
      ],
      nodes,
      'tight',
    )}
    <p class="dim more">
      Took part in the draft and cannot vote: ${drafters.map(({ name }) => name).join(', ') || 'nobody'}
    </p>`;
}

function votesTable({ votes }: ApprovalView): Html {
  if (votes.length === 0) return empty('Nobody has voted yet.');
  return table(
    'Votes',
    [
      { heading: 'Person', cell: ({ personName }) => personName },
      { heading: 'Node', isNumber: true, cell: ({ node }) => node },
      {
        heading: 'Vote',
        cell: ({ state, voidReason }) =>
          html`${pill(state === 'counted' ? 'approved' : 'void')} ${words(voidReason ?? '')}`,
      },
      { heading: 'Role', cell: ({ role }) => words(role ?? 'named in the graph') },
      {
        heading: 'By',
        cell: ({ applicationUid, proof }) =>
          applicationUid ? 'application' : proof ? `console, ${proof.kind}` : 'command line',
      },
      { heading: 'At, UTC', cell: ({ at }) => instant(at.toISOString()) },
      { heading: 'Decision', cell: ({ decisionUid }) => recordView(decisionUid) },
    ],
    votes,
    'tight',
  );
}

async function decideCard(call: PageCall, record: Delegation, view: ApprovalView): Promise<Html | false> {
  if (!call.may('decide')) return false;
  const { own } = view;
  const isDrafter = view.drafters.some(({ uid }) => uid === call.session.person.uid);
  const buttons: DecisionButton[] = [];
  if (own?.ok)
    buttons.push({
      name: record.state === 'draft' ? 'approve' : 'resume',
      label: 'Approve these terms',
      tone: 'primary',
    });
  if (record.state === 'draft' && own?.ok) buttons.push({ name: 'reject', label: 'Reject', tone: 'danger' });
  if (record.state === 'draft' && isDrafter)
    buttons.push({ name: 'withdraw', label: 'Withdraw', tone: 'danger' });
  if (record.state === 'activated') buttons.push({ name: 'suspend', label: 'Suspend' });
  if (record.state === 'activated' || record.state === 'suspended')
    buttons.push({ name: 'revoke', label: 'Revoke', tone: 'danger' });
  if (buttons.length === 0 && own === null) return false;
  const form = await decisionForm(call, {
    path: placeOf(record.uid),
    buttons,
    reason: own?.ok ? 'Reason, needed to reject' : 'Reason',
    fields: seenTermsFields(view.delegation.terms, record.terms_hash),
  });
  return card(
    { title: 'Your decision' },
    html`<div class="pad">
      <p>${consequence(record, own)}</p>
      ${form}
    </div>`,
  );
}

/** Returns the sentence that says what the vote of the reader would do, or why the reader cannot vote. */
function consequence(
  { state, budgets: { per_day_minor }, currency, valid_until, amount_scale }: Delegation,
  own: ApprovalView['own'],
): Html {
  if (own === null) return html`A delegation that is suspended or revoked can no longer be used.`;
  if (!own.ok) return html`You cannot vote: ${own.detail} <code>${own.code}</code>`;
  if (!own.isComplete)
    return html`If you approve, your vote counts at node ${own.node}. More votes are needed.`;
  return html`If you approve, the delegation is ${state === 'draft' ? 'activated' : 'resumed'} at once: up to
  ${minor(per_day_minor, amount_scale)} ${currency} a day until ${valid_until.slice(0, 10)}.`;
}

function budgets({ usage, budgets: limits, amount_scale }: Delegation): Html {
  const rows = [
    { name: 'Day', use: usage.day, limit: limits.per_day_minor },
    { name: 'Month', use: usage.month, limit: limits.per_month_minor },
  ];
  return table(
    'Budgets',
    [
      { heading: 'Window', cell: ({ name, use }) => `${name} ${use.window}` },
      { heading: 'Used', isNumber: true, cell: ({ use }) => minor(use.used_minor, amount_scale) },
      { heading: 'Reserved', isNumber: true, cell: ({ use }) => minor(use.reserved_minor, amount_scale) },
      { heading: 'Left', isNumber: true, cell: ({ use }) => minor(use.remaining_minor, amount_scale) },
      {
        heading: 'Share',
        cell: ({ use, limit }) => raw(bullet(use.used_minor / limit, use.reserved_minor / limit)),
      },
    ],
    rows,
    'tight',
  );
}

function termsOf({ delegation: { terms, reason } }: ApprovalView) {
  const { budgets: _, amount_scale: _scale, ...rest } = terms;
  return recordView({ ...rest, reason: reason ?? null });
}

/** Returns the card that compares the terms of a delegation with those of the delegation to be replaced. */
async function replacedCard(
  call: PageCall,
  { replaces }: Delegation,
  view: ApprovalView,
): Promise<Html | false> {
  if (replaces === null) return false;
  const replaced = await call.ask(findDetails, replaces, call.now);
  if (!replaced) return false;
  const changes = changedTerms(replaced.delegation.terms, view.delegation.terms);
  return card(
    {
      title: 'Changes',
      note: html`<a class="mono" href="${placeOf(replaces)}">replaces ${replaces.slice(0, 12)}…</a>`,
    },
    changes.length === 0 ? empty('The terms are the same.') : changesTable(changes, ['Before', 'Now']),
  );
}
