import { instant, pill, words } from '../format.ts';
import { html, type Html } from '../html.ts';
import { definePage } from '../page.ts';
import { recordView } from '../record-view.ts';
import { card } from '../shell.ts';
import { empty } from '../states.ts';
import { table } from '../table.ts';

type Row = Readonly<Record<string, unknown>>;
type AnswerRow = {
  uid: string;
  outcome: string;
  code: string | null;
  facts: number;
  asked_at: string;
  as_of: string | null;
};
type Fact = {
  id: string;
  measure: string;
  display: string;
  as_of: string;
  stale: boolean;
  source: {
    kind: string;
    name: string | null;
    run_uid: string | null;
    dataset_uid: string | null;
    pointer: string | null;
  };
};
type Answer = {
  uid: string;
  outcome: string;
  text: string | null;
  question: string | null;
  asked_at: string;
  facts: readonly Fact[];
  assumptions: readonly { code: string; detail: string }[];
  refusal: { code: string; detail: string } | null;
  clarification: { prompt: string } | null;
  result_hash: string;
};

/** A question model with its newest answers. */
export const qlmPage = definePage({
  path: '/console/qlms/:id',
  area: 'Question models',
  async render({ read, params }) {
    const uid = params['id']!;
    const model = await read<Row & { name: string; status: string }>('qlms.get', { uid });
    const answers = await read<{ data: readonly AnswerRow[] }>('qlms.answers.list', { uid, limit: 50 });
    const body = html`<header class="head">
        <div>
          <h1>${model.name}</h1>
          <p class="meta">${pill(model.status)}<span class="mono">${uid}</span></p>
        </div>
      </header>
      <div class="grid-2">
        ${card({ title: 'Answers' }, answers.data.length === 0 ? empty('Nobody has asked a question yet.', 'npm run assay -- qlm ask --help') : answersTable(uid, answers.data))}
        ${card({ title: 'Model' }, recordView(model))}
      </div>`;
    return { title: model.name, crumbs: [['Question models', '/console/qlms'], [uid]], body };
  },
});

function answersTable(model: string, answers: readonly AnswerRow[]): Html {
  return table(
    'Answers',
    [
      {
        heading: 'Answer',
        cell: ({ uid }) => html`<a class="mono" href="/console/qlms/${model}/${uid}">${uid}</a>`,
      },
      { heading: 'Outcome', cell: ({ outcome }) => pill(outcome) },
      { heading: 'Reason', cell: ({ code }) => words(code ?? '–') },
      { heading: 'Figures', isNumber: true, cell: ({ facts }) => facts },
      { heading: 'Asked, UTC', cell: ({ asked_at }) => instant(asked_at) },
    ],
    answers,
  );
}

/** An answer to a question, with the source of each of its figures. */
export const qlmAnswerPage = definePage({
  path: '/console/qlms/:id/:answer',
  area: 'Question models',
  async render({ read, params }) {
    const { id, answer: answer_uid } = params;
    const answer = await read<Answer>('qlms.answers.get', { uid: id, answer_uid });
    const body = html`<header class="head">
        <div>
          <h1>${answer.question ?? 'Answer'}</h1>
          <p class="meta">
            ${pill(answer.outcome)}<span>asked ${instant(answer.asked_at)} UTC</span
            ><span class="mono">${answer.uid}</span>
          </p>
        </div>
      </header>
      <div class="stack">
        ${card(
          { title: 'Answer' },
          html`<p class="pad answer">
            ${answer.text ?? answer.clarification?.prompt ?? answer.refusal?.detail ?? 'No text.'}
          </p>`,
        )}
        ${card({ title: 'Figures and their sources' }, answer.facts.length === 0 ? empty('The answer has no figure.') : factsTable(answer.facts))}
        ${
          answer.assumptions.length > 0 &&
          card(
            { title: 'Assumptions' },
            html`<ul class="lines">
              ${answer.assumptions.map(({ detail }) => html`<li>${detail}</li>`)}
            </ul>`,
          )
        }
        ${card({ title: 'Seal' }, recordView({ result_hash: answer.result_hash }))}
      </div>`;
    return {
      title: 'Answer',
      crumbs: [['Question models', '/console/qlms'], ['Model', `/console/qlms/${id}`], [answer.uid]],
      body,
    };
  },
});

function factsTable(facts: readonly Fact[]): Html {
  return table(
    'Figures and their sources',
    [
      { heading: 'Figure', cell: ({ display }) => html`<b>${display}</b>` },
      { heading: 'Measure', cell: ({ measure }) => words(measure) },
      { heading: 'As of', cell: ({ as_of }) => as_of.slice(0, 10) },
      { heading: 'Source', cell: ({ source }) => sourceOf(source) },
      { heading: 'Stale', cell: ({ stale }) => (stale ? pill('stale') : 'no') },
    ],
    facts,
  );
}

function sourceOf({ kind, name, run_uid, pointer }: Fact['source']): Html {
  if (run_uid !== null)
    return html`<a class="mono" href="/console/runs/${run_uid}">${run_uid}</a>
      <span class="dim mono">${pointer ?? ''}</span>`;
  return html`${words(kind)} ${name ?? ''}`;
}
