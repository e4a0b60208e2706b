import { compare } from './facts/decimals.ts';
import { evaluate } from './facts/evaluate.ts';
import type { Fact } from './facts/fact.ts';
import { withQueries } from './facts/options.ts';
import { currencyAsked } from './facts/one-currency.ts';
import type { Clock, Readers } from './facts/readers.ts';
import { resolve } from './facts/resolve.ts';
import { isOutcome } from './facts/resolve-subject.ts';
import { domainOf, type Catalogue, type Domain } from './language/catalogue.ts';
import { refuse, type Clarification, type Option, type Refusal } from './language/codes.ts';
import { inUnit } from './language/frames/common.ts';
import { isDraft, type Claim, type Draft, type QueryDraft, type Understood } from './language/draft.ts';
import type { SemanticQuery } from './language/query.ts';
import { isShaped } from './language/query-shape.ts';
import { queryFault } from './language/query-types.ts';
import { referenceTexts, withReferences } from './language/references.ts';
import { nameKeys } from './language/tokens.ts';
import { understand } from './language/understand.ts';
import { writeSentences } from './wording/answer-sentences.ts';
import { writeAnswer, type Slot } from './wording/answer-text.ts';
import type { Mention, Names } from './wording/mentions.ts';
import { namesFor } from './wording/names.ts';

export type Answered = {
  outcome: 'answered';
  query: SemanticQuery;
  facts: readonly Fact[];
  assumptions: readonly string[];
  flags: readonly string[];
  text: string;
  slots: readonly Slot[];
  /** The names and periods in the text. Absent in an answer of the first templates. */
  mentions?: readonly Mention[];
  /** The names that the mentions show. */
  names?: Names;
};
export type Answer = Answered | Refusal | Clarification;

/** The caller's catalogue and readers, and the clock. */
export type Setting = {
  catalogue: Catalogue;
  readers: Readers;
  clock: Clock;
  /** The templates of texts. The first templates are used only to recompute answers that were sealed with them. */
  template?: 1 | 2;
};

/** A question with the earlier questions of the same conversation, oldest first. */
export type Question = { question: string; before?: readonly string[] };

/**
 * Answers a question from stored facts. The result is `answered`, `refused` or `clarification`. The same question, data
 * and clock give the same result.
 */
export async function answer({ question, before = [] }: Question, given: Setting): Promise<Answer> {
  const setting = await withRecords({ question, before }, given);
  const { catalogue, clock } = setting;
  const ask = (text: string, previous: Draft | undefined): ReturnType<typeof understand> =>
    understand(text, { catalogue, today: clock.today, ...(previous ? { previous } : {}) });
  let previous: Draft | undefined;
  for (const text of before) {
    const { understood } = ask(text, previous);
    if (isDraft(understood)) previous = understood;
  }
  const { understood, corrections } = ask(question, previous);
  const isUnnamed = isDraft(understood) && understood.kind === 'query' && understood.isOpen === true;
  const option =
    isUnnamed || !isDraft(understood)
      ? await namedOption(understood, { question, before }, setting)
      : undefined;
  if (option?.query) return answerQuery(option.query, setting);
  if (!isDraft(understood)) {
    // If the chosen option needs a further choice, its label is sent as a follow-up question.
    const again = option && ask(optionQuestion(option.label), previous).understood;
    return again && isDraft(again) && again.kind === 'query' ? answerDraft(again, setting, []) : understood;
  }
  const spelling = corrections.length > 0 ? ['spelling'] : [];
  if (understood.kind === 'query') return answerDraft(understood, setting, spelling);
  const fault = await checkClaim(understood.claim, setting);
  // A question for a cause is refused in any case, so its statement needs no clarification.
  const isOpen = fault?.outcome === 'clarification' && 'outcome' in understood.next;
  if (fault && !isOpen) return fault;
  return 'kind' in understood.next ? answerDraft(understood.next, setting, spelling) : understood.next;
}

/**
 * Returns a setting whose lexicon knows the records that the references in a question name. References are looked up for
 * each question, so the lexicon does not depend on the number of records.
 */
export async function withRecords<S extends Setting>(
  { question, before = [] }: Question,
  setting: S,
): Promise<S> {
  const { catalogue, readers } = setting;
  const { lexicon } = catalogue;
  if (lexicon.references) return setting;
  const texts = [
    ...new Set([...before, question].flatMap((text) => referenceTexts(text.normalize('NFC'), lexicon))),
  ];
  const found = texts.length === 0 ? [] : await readers.references(texts);
  const open = found.filter(({ noun }) => catalogue.open.has(domainOf(noun)!));
  return { ...setting, catalogue: { ...catalogue, lexicon: withReferences(lexicon, open) } };
}

/**
 * Returns the one option of the previous clarification whose label fits the words of a question; undefined if the
 * previous answer is not a clarification, or if the words fit no option or several.
 */
async function namedOption(
  given: Understood,
  { question, before }: Required<Question>,
  setting: Setting,
): Promise<Option | undefined> {
  const [last, ...earlier] = before.toReversed();
  const isOpen = isDraft(given) || given.outcome === 'clarification' || given.code === 'not_understood';
  const words = optionWords(question);
  if (last === undefined || !isOpen || words === '') return undefined;
  const asked = await answer({ question: last, before: earlier.toReversed() }, setting);
  if (asked.outcome !== 'clarification') return undefined;
  const whole = asked.options.filter(({ label }) => optionWords(label) === words);
  const part = asked.options.filter(({ label }) => ` ${optionWords(label)} `.includes(` ${words} `));
  const fits = whole.length > 0 ? whole : part;
  return fits.length === 1 ? fits[0] : undefined;
}

/**
 * Returns the question that the label of an option without a query stands for. For a company, this is only the
 * company's name.
 */
export function optionQuestion(label: string): string {
  return label.replace(/^company \d+ /, '');
}

/** Returns the words that identify an option. Words such as "the", "one" and "please" are left out. */
function optionWords(text: string): string {
  return nameKeys(text)
    .filter((word) => !/^(the|please|one|i|mean|meant|take|use)$/.test(word))
    .join(' ');
}

/** Answers a canonical query. If the query of an earlier answer is sent again, the facts are the same. */
export async function answerQuery(
  query: SemanticQuery,
  { catalogue, readers, clock, template = 2 }: Setting,
  assumptions: readonly string[] = [],
): Promise<Answer> {
  if (!isShaped(query)) return refuse('not_understood');
  const named = [[query.measure ?? ''], [query.baseline?.measure ?? '']];
  if (named.some((keys) => isShut(keys, query.run?.kind, catalogue))) return refuse('not_entitled');
  const fault = queryFault(query, catalogue.measures);
  if (fault) return fault;
  // Answers of the first templates are recomputed as they were sealed.
  const asked = template === 1 ? undefined : await currencyAsked(query, readers);
  if (asked) return asked;
  const found = await evaluate(query, readers, clock);
  if ('outcome' in found) return found;
  const { facts, flags } = found;
  const told = { outcome: 'answered' as const, query, facts, assumptions, flags };
  if (template === 1) return { ...told, ...writeAnswer(query, facts) };
  const names = await namesFor(query, facts, readers);
  return { ...told, ...writeSentences(query, facts, names), names };
}

async function answerDraft(
  draft: QueryDraft,
  setting: Setting,
  spelling: readonly string[],
): Promise<Answer> {
  const named = [draft.measures ?? [], draft.second ?? []];
  if (named.some((keys) => isShut(keys, draft.run?.kind, setting.catalogue))) return refuse('not_entitled');
  const planned = await resolve(draft, setting.readers, setting.clock);
  if (isOutcome(planned))
    return planned.outcome === 'clarification' ? withQueries(planned, draft, setting) : planned;
  const answered = await answerQuery(planned.query, setting, [...spelling, ...planned.assumptions]);
  if (answered.outcome !== 'answered') return answered;
  return { ...answered, flags: [...new Set([...planned.flags, ...answered.flags])] };
}

const RUN_DOMAINS: Readonly<Record<string, Domain>> = {
  'investment.theme-factors': 'factors',
  'generative.scenarios': 'scenarios',
  'planning.forecasts': 'forecasts',
};

/**
 * Whether the caller's scopes do not permit a query: they give no access to the domain of the query's run, or no access
 * to any domain of the query's measures. If a name has several measures, access to one of them is enough.
 */
function isShut(keys: readonly string[], run: string | undefined, { open }: Catalogue): boolean {
  const domains = keys.flatMap((key) => domainOf(key) ?? []);
  const ofRun = run === undefined ? undefined : RUN_DOMAINS[run];
  if (ofRun && !open.has(ofRun)) return true;
  return domains.length > 0 && !domains.some((domain) => open.has(domain));
}

/**
 * Checks the statement that a question takes for granted. Returns undefined if the statement is true, and a refusal if
 * it is false. If the statement cannot be checked, returns the answer that says why.
 */
async function checkClaim(claim: Claim, setting: Setting): Promise<Answer | undefined> {
  const drafts =
    claim.value === undefined || claim.draft.op !== 'value' ? [claim.draft] : spread(claim.draft);
  const held: boolean[] = [];
  for (const draft of drafts) {
    const answered = await answerDraft(draft, setting, []);
    if (answered.outcome !== 'answered') {
      if (drafts.length > 1) continue;
      return answered;
    }
    held.push(holds(claim, answered.facts.at(-1)!));
  }
  if (held.length === 0) return refuse('not_in_coverage');
  return held.includes(true) ? undefined : refuse('premise_contradicted');
}

/**
 * Returns one draft for each month of a period, so that a bound is checked in each month. The statement is false if the
 * bound holds in no month.
 */
function spread(draft: QueryDraft): QueryDraft[] {
  const { when } = draft;
  if (when?.kind !== 'stretch' || /^(day|week|month)$/.test(when.grain) || when.isEnd === true)
    return [draft];
  const months: QueryDraft[] = [];
  const [year, first] = [when.from.slice(0, 4), Number(when.from.slice(5, 7))];
  const last = Number(when.to.slice(5, 7));
  if (!when.to.startsWith(year)) return [draft];
  for (let month = first; month <= last; month += 1) {
    const name = `${year}-${String(month).padStart(2, '0')}`;
    months.push({
      ...draft,
      when: { kind: 'stretch', from: `${name}-01`, to: `${name}-28`, grain: 'month' },
    });
  }
  return months;
}

function holds({ direction, op, value }: Claim, { value: own, number, unit }: Fact): boolean {
  const sign = signOf(own, number, value === undefined ? '0' : inUnit(value, unit));
  if (direction !== undefined)
    return direction === 'up' ? sign > 0 : direction === 'down' ? sign < 0 : sign !== 0;
  if (op === 'gt') return sign > 0;
  if (op === 'gte') return sign >= 0;
  if (op === 'lt') return sign < 0;
  return op === 'lte' ? sign <= 0 : sign === 0;
}

function signOf(own: string | null, number: number | null, bound: string): number {
  if (own !== null) return compare(own, bound);
  const difference = (number ?? 0) - Number(bound);
  return difference < 0 ? -1 : difference > 0 ? 1 : 0;
}
