import { pill, words } from '../format.ts';
import { html, type Html } from '../html.ts';
import { definePage } from '../page.ts';
import { recordView } from '../record-view.ts';
import { card, fact } from '../shell.ts';
import { empty } from '../states.ts';
import { table } from '../table.ts';

type Determining = {
  policy_uid: string;
  version: number;
  rule_key: string;
  effect: string;
  reason_code: string;
  advice: string;
};
type Atom = {
  policy_uid: string;
  rule_key: string;
  path: string;
  field: string;
  op: string;
  expected: unknown;
  actual: unknown;
  must_hold: boolean;
  bound: unknown;
};
type PolicyDecision = {
  uid: string;
  at: string;
  subject: { type: string; uid: string };
  effect: string;
  default: boolean;
  policy_set_hash: string;
  input_hash: string;
  determining: readonly Determining[];
  failed: readonly Atom[];
  approval_because: readonly Atom[];
  errors: readonly unknown[];
  obligations: readonly { approval_graph_key: string | null }[];
  shadow: { effect: string; would_change: boolean } | null;
};

/** A decision of the policies, explained: the rules that determined it, and the conditions that did not hold. */
export const policyDecisionPage = definePage({
  path: '/console/decisions/:id',
  area: 'Policies',
  async render({ read, params }) {
    const decision = await read<PolicyDecision>('actions.policy_decisions.get', { uid: params['id'] });
    const { effect, subject, determining, failed, approval_because, errors, obligations, shadow } = decision;
    const body = html`<header class="head">
        <div>
          <h1>Policy decision</h1>
          <p class="meta">
            ${pill(effect)}<span>${decision.at.slice(0, 16).replace('T', ' ')} UTC</span
            ><span class="mono">${decision.uid}</span>
          </p>
        </div>
      </header>
      <dl class="facts">
        ${fact('Effect', words(effect), decision.default ? 'no rule matched' : `${determining.length} rules decided`)}
        ${fact('Conditions that failed', String(failed.length))}
        ${fact('Approval', obligations.map((each) => words(each.approval_graph_key ?? 'any graph')).join(', ') || 'not needed')}
        ${fact('Shadow policies', shadow === null ? 'none' : words(shadow.effect), shadow?.would_change ? 'would change the decision' : '')}
      </dl>
      <div class="stack">
        ${card({ title: 'Why' }, determining.length === 0 ? empty('No rule matched, so the action is denied by default.') : rulesTable(determining))}
        ${failed.length > 0 && card({ title: 'Conditions that did not hold' }, atomsTable(failed))}
        ${approval_because.length > 0 && card({ title: 'Approval is needed because' }, atomsTable(approval_because))}
        ${errors.length > 0 && card({ title: 'Errors' }, recordView(errors))}
        ${card({ title: 'Subject' }, recordView({ subject, policy_set_hash: decision.policy_set_hash, input_hash: decision.input_hash }))}
      </div>`;
    return { title: 'Policy decision', crumbs: [['Policies', '/console/policies'], [decision.uid]], body };
  },
});

function rulesTable(rules: readonly Determining[]): Html {
  return table(
    'Rules that determined the decision',
    [
      { heading: 'Rule', cell: ({ rule_key }) => rule_key },
      { heading: 'Effect', cell: ({ effect }) => pill(effect) },
      { heading: 'Reason', cell: ({ reason_code }) => words(reason_code) },
      { heading: 'Advice', cell: ({ advice }) => advice },
      {
        heading: 'Policy',
        cell: ({ policy_uid, version }) => html`<span class="mono">${policy_uid}</span> v${version}`,
      },
    ],
    rules,
  );
}

function atomsTable(atoms: readonly Atom[]): Html {
  return table(
    'Conditions',
    [
      { heading: 'Field', cell: ({ field }) => html`<span class="mono">${field}</span>` },
      {
        heading: 'Condition',
        cell: ({ op, expected, must_hold }) => `${must_hold ? '' : 'not '}${words(op)} ${textOf(expected)}`,
      },
      { heading: 'Actual', cell: ({ actual }) => textOf(actual) },
      { heading: 'Nearest value', cell: ({ bound }) => textOf(bound) },
      { heading: 'Rule', cell: ({ rule_key }) => rule_key },
    ],
    atoms,
  );
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return '–';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
