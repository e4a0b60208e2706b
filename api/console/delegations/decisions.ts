import { castVote } from '#lib/actions/delegations/cast-vote.command.ts';
import type { PersonEvent } from '#lib/actions/delegations/change.ts';
import { changeDelegation } from '#lib/actions/delegations/change-delegation.command.ts';
import { askForApproval } from '#lib/actions/delegations/questions.query.ts';
import { reasonMissing, reasonOf } from '../decision.ts';
import type { Decision, DecisionCall, Refused } from '../page.ts';
import { html, type Html } from '../html.ts';
import { recordView } from '../record-view.ts';
import { changedTerms, changesTable, seenTerms } from './terms.ts';

/** The address of the page of a delegation. */
export const placeOf = (uid: string): string => `/console/delegations/${uid}`;

/** The messages about decisions that were made. */
export const doneTexts = {
  voted: 'Your vote was recorded. More votes are needed.',
  activated: 'Your vote was recorded. The delegation is active.',
  rejected: 'The draft was rejected.',
  withdrawn: 'The draft was withdrawn.',
  suspended: 'The delegation was suspended.',
  revoked: 'The delegation was revoked.',
} as const;

const past = { reject: 'rejected', withdraw: 'withdrawn', suspend: 'suspended', revoke: 'revoked' } as const;

/** The decisions on a delegation. A vote is for the terms that the page showed, and for no others. */
export const delegationDecisions: readonly Decision[] = [
  { name: 'approve', duty: 'decide', act: (call) => vote(call, 'draft') },
  { name: 'resume', duty: 'decide', act: (call) => vote(call, 'suspended') },
  ...(['reject', 'withdraw', 'suspend', 'revoke'] as const).map((event) => ({
    name: event,
    duty: 'decide' as const,
    act: (call: DecisionCall) => change(call, event),
  })),
];

async function vote(call: DecisionCall, awaited: 'draft' | 'suspended') {
  const uid = call.params['id']!;
  const outcome = await call.decide(castVote, (proof) => ({
    uid,
    carrier: null,
    proof,
    seenTerms: call.form['terms_hash'] ?? '',
    awaited,
    ask: askForApproval,
  }));
  if (!outcome.ok) return refusalOf(call, outcome);
  return { location: `${placeOf(uid)}?done=${outcome.result.isActivated ? 'activated' : 'voted'}` };
}

async function change(call: DecisionCall, event: PersonEvent) {
  const reason = reasonOf(call);
  if (reason === undefined) return reasonMissing;
  const uid = call.params['id']!;
  const outcome = await call.decide(changeDelegation, () => ({ uid, event, reason }));
  if (!outcome.ok) return { code: outcome.code, detail: outcome.detail };
  return { location: `${placeOf(uid)}?done=${past[event]}` };
}

type VoteRefused = { ok: false; code: string; detail: string } & Readonly<Record<string, unknown>>;

function refusalOf({ form }: DecisionCall, refused: VoteRefused): Refused {
  const { code, detail } = refused;
  const more = moreOf(form, refused);
  return { code, detail, ...(more && { more }) };
}

/** Returns the facts behind a refusal: the terms that changed, that are not covered or that are no longer valid. */
function moreOf(form: DecisionCall['form'], refused: VoteRefused): Html | undefined {
  if (refused.code === 'terms_changed') {
    const seen = seenTerms(form);
    const { terms } = refused['delegation'] as { terms: Parameters<typeof changedTerms>[1] };
    if (!seen) return html`<p>The form does not name the terms that it showed.</p>`;
    return changesTable(changedTerms(seen, terms), ['You saw', 'The delegation has']);
  }
  for (const name of ['failed', 'outdated'])
    if (Array.isArray(refused[name])) return html`<div>${recordView(refused[name])}</div>`;
  return undefined;
}
