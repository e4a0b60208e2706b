import { answerQuery, type Answer, type Setting } from '../answer.ts';
import { askBack, type Refusal } from '../language/codes.ts';
import type { SemanticQuery } from '../language/query.ts';
import { hasStrangeCharacters } from '../language/tokens.ts';
import { measureName } from '../wording/mentions.ts';
import { namesFor } from '../wording/names.ts';
import { periodWords } from '../wording/period-words.ts';
import { judgeProposal } from './acceptance.ts';
import type { Masked } from './masking.ts';
import { readProposal } from './request.ts';

/** How a question was turned into a query. `fallback_code` says why the plan of a provider was not used. */
export type Planner = { kind: 'embedded' | 'provider'; fallback_code: string | null };

/** Whether a provider is called for an outcome of the embedded engine: it found no query in a readable question. */
export function isPlannable(given: Answer, question: string): given is Refusal {
  if (given.outcome !== 'refused' || hasStrangeCharacters(question)) return false;
  return given.code === 'not_understood' || given.code === 'unknown_metric';
}

type Planning = { question: string; masked: Masked; setting: Setting; embedded: Refusal };

/**
 * Answers a question by the plan of a provider. A plan that our own lexicon licenses is evaluated. A plan with a word
 * that is new to the lexicon becomes an option, which a person chooses. Any other plan is not used, and the outcome of
 * the embedded engine stays.
 */
export async function answerByPlan(
  text: string,
  { question, masked, setting, embedded }: Planning,
): Promise<{ given: Answer; planner: Planner }> {
  const { catalogue, clock } = setting;
  const unused = (code: string) => ({
    given: embedded,
    planner: { kind: 'embedded' as const, fallback_code: code },
  });
  const proposal = readProposal(text, masked);
  if (!proposal) return unused('invalid_answer');
  const verdict = judgeProposal(proposal, { question, masked, catalogue, today: clock.today });
  if (verdict.kind === 'rejected') return unused(`rejected_${verdict.reason}`);
  const answered = await answerQuery(verdict.query, setting);
  const planner: Planner = { kind: 'provider', fallback_code: null };
  if (verdict.kind === 'licensed') return { given: answered, planner };
  // An option whose query has no answer would only lead to a refusal.
  if (answered.outcome !== 'answered') return unused('unanswered_option');
  const label = await labelOf(verdict.query, setting);
  return { given: { ...askBack('ambiguous_metric'), options: [{ label, query: verdict.query }] }, planner };
}

/** Returns the words of an option: the operation, the measure, the subjects and the period, and no value. */
async function labelOf(query: SemanticQuery, { readers }: Setting): Promise<string> {
  const { op, agg, as, measure = '', of = [], period } = query;
  const names = await namesFor(query, [], readers);
  const { at, from, to, last } = period ?? {};
  return [
    agg ?? (op === 'value' ? '' : op),
    measureName(measure, names),
    ...of.map(({ key }) => names.subjects[key] ?? key),
    at === undefined ? '' : periodWords(at),
    from === undefined ? '' : `${periodWords(from)} to ${to === undefined ? 'latest' : periodWords(to)}`,
    last === undefined ? '' : `last ${last}`,
    (as ?? '').replaceAll('_', ' '),
  ]
    .filter((word) => word !== '')
    .join(', ')
    .slice(0, 300);
}
