import { asked } from '#lib/core/asked.ts';
import type { Bag } from '../bag.ts';
import { daysAhead, daysBack, type Days, type When } from '../calendar.ts';
import type { QueryDraft } from '../draft.ts';
import type { Where } from '../query.ts';
import type { Subject } from '../query.ts';
import { cuesOfField, fieldCue, isRecordNoun, recordNouns } from '../record-nouns.ts';
import { draftOf, takeMentions, takeWhen, type Frame, type FrameContext } from './common.ts';

/**
 * Takes the conditions on the records of a noun, each once. States of other nouns stay free. Of two values of one field,
 * such as "registered or disputed", the second stays free, because no record has both.
 */
export function takeStates(bag: Bag, noun: string): Where[] {
  const fields = new Map<string, string>();
  return bag
    .all('state', ({ states }) => {
      const state = states.find((each) => each.noun === noun);
      const held = state && fields.get(state.field);
      if (!state || (held !== undefined && held !== state.value)) return false;
      fields.set(state.field, state.value);
      return true;
    })
    .map(({ states }) => states.find((state) => state.noun === noun)!)
    .map(({ field, value }) => ({ field, op: 'eq', value }))
    .filter(
      (each, index, all) =>
        all.findIndex((one) => one.field === each.field && one.value === each.value) === index,
    );
}

/** Takes the noun of the records that a question is about. Other words can imply it. */
export function takeNoun(bag: Bag, catalogue: FrameContext['catalogue']): string | undefined {
  const noun =
    recordNouns.find((each) => bag.see('noun', (reading) => reading.noun === each).length > 0) ??
    impliedNoun(bag);
  if (noun === undefined || !catalogue.measures.has(noun)) return undefined;
  // "Invoices" and "loans" name the type as well as the noun, so their lexemes stay free for the type.
  const plain = bag.see('noun', (reading) => reading.noun === noun);
  for (const { at, lexeme } of plain) {
    const isTyped = lexeme.readings.some(
      (reading) =>
        reading.slot === 'state' &&
        reading.states.some((state) => state.noun === noun && state.field === 'type'),
    );
    if (!isTyped) bag.take(at);
  }
  return noun;
}

/**
 * Returns the noun that other words imply: "term loans" and what falls due are obligations, and the name of a workflow
 * stands for its runs.
 */
function impliedNoun(bag: Bag): string | undefined {
  const typed = bag.see('state', ({ states }) =>
    states.some(({ noun, field }) => noun === 'obligation' && field === 'type'),
  );
  if (typed.length > 0) return 'obligation';
  const referred = bag.see('entity', ({ subjects }) => isRecordNoun(subjects[0]!.type))[0];
  if (referred) return referred.subjects[0]!.type;
  const named = bag.see('entity', ({ subjects }) => subjects.some(({ type }) => type === 'workflow'));
  if (named.length > 0) return 'workflow_run';
  // "What matures in the next 90 days", "what is overdue": no other noun says what is due.
  if (bag.lexemes.some(({ readings }) => readings.some(({ slot }) => slot === 'noun'))) return undefined;
  const isDue = bag.see(
    'cue',
    ({ cue }, { key }) => /^(due|overdue)$/.test(cue) && /\b(matur\w*|due|overdue)$/.test(key),
  );
  return isDue.length > 0 ? 'obligation' : undefined;
}

/** Takes conditions by date: due dates of obligations, ends of runs. */
export function takeDates(bag: Bag, noun: string, today: string): Where[] | undefined {
  const where: Where[] = [];
  if (noun === 'obligation') {
    const isOverdue = bag.cues('overdue') > 0;
    const until = bag.one('until');
    const isDue = bag.cues('due') > 0;
    // No obligation is both overdue and due in a window: "due this month or overdue" asks for two lists.
    if (isOverdue && (isDue || until)) return undefined;
    if (isOverdue) {
      bag.all('when', ({ when }) => when.kind === 'now');
      where.push(
        { field: 'due_date', op: 'lt', value: today },
        { field: 'outstanding', op: 'gt', value: '0' },
      );
    }
    if (until?.when.kind === 'stretch') {
      if (!isDue) return undefined;
      where.push(bound('due_date', until.when, until.edge));
    } else if (isDue) {
      const when = takeWhen(bag);
      const days = when && daysOf(when, today);
      if (!days) return undefined;
      where.push(between('due_date', days));
    }
    return where;
  }
  const field =
    noun === 'workflow_run'
      ? 'ended'
      : noun === 'transaction'
        ? 'booked_at'
        : noun === 'exception'
          ? 'opened_at'
          : noun === 'delegation'
            ? 'valid_until'
            : asked[noun]?.day;
  if (field === undefined) return where;
  const until = bag.one('until');
  if (until?.when.kind === 'stretch') return [bound(field, until.when, until.edge)];
  const since = bag.one('since');
  if (since?.when.kind === 'stretch') return [{ field, op: 'gte', value: since.when.from }];
  const now = bag.all('when', ({ when }) => when.kind === 'now');
  const when = takeWhen(bag);
  if (when === undefined || (now.length > 0 && when.kind === 'latest')) return where;
  const days = daysOf(when, today);
  if (!days) return undefined;
  if (when.kind !== 'future') return [between(field, { ...days, to: days.to > today ? today : days.to })];
  // Only the last day of a delegation is in the future, and only if the question names it: "expire next month".
  return field === 'valid_until' && bag.cues('valid_until') > 0 ? [between(field, days)] : undefined;
}

/** Returns the days of a period; undefined if it is open, or if it counts in the periods of a measure. */
function daysOf(when: When, today: string): Days | undefined {
  if (when.kind === 'stretch') return when.isAround === true ? undefined : { from: when.from, to: when.to };
  if (when.kind === 'last') return daysBack(today, when);
  if (when.kind === 'future') return when.ahead ? daysAhead(today, when.ahead) : when.stretch;
  return when.kind === 'range' && when.to ? { from: when.from.from, to: when.to.to } : undefined;
}

/** Whether a question counts days from the day of the question: "in the last 30 days". */
function isCounted(bag: Bag): boolean {
  return bag.lexemes.some(({ readings }) =>
    readings.some(
      (each) =>
        each.slot === 'when' &&
        (each.when.kind === 'last' || (each.when.kind === 'future' && each.when.ahead !== undefined)),
    ),
  );
}

function between(field: string, { from, to }: Days): Where {
  return { field, op: 'between', value: [from, to] };
}

/**
 * Returns the condition that a date is within a bound. "Before June" excludes June; "before the end of June" and "by
 * June" include the last day of June.
 */
function bound(
  field: string,
  when: When & { kind: 'stretch' },
  edge: 'before' | 'after' | 'by' | 'on',
): Where {
  if (edge === 'after') return { field, op: 'gt', value: when.to };
  if (edge === 'before' && when.isEnd !== true) return { field, op: 'lt', value: when.from };
  return { field, op: 'lte', value: when.to };
}

/** Takes the counterparty and the currency as conditions. */
export function takeParties(bag: Bag): Where[] {
  const parties = takeMentions(bag, ['counterparty']);
  const currencies = bag.all('currency');
  if (parties.length > 0) bag.cues('entity_word');
  if (currencies.length > 0) bag.cues('unit');
  return [
    ...parties.map((subjects) => ({ field: 'counterparty', op: 'eq', value: Number(subjects[0]!.key) })),
    ...currencies.map(({ codes }) => ({ field: 'currency', op: 'eq', value: codes[0]! })),
  ];
}

/** Cues that introduce or connect the words of a question about records. */
export const CUES = ['show_list', 'which', 'any', 'all', 'still', 'hold', 'entity_word', 'how'];

/** Reads questions such as "How many obligations are registered", "are there any disputed obligations". */
export const countRecords: Frame = (bag, { catalogue, today }) => {
  const isYesNo =
    /^(is|are|do|does|have|has|are there|is there|do we|do we have|have we|did|were there|was there|do you have)$/.test(
      bag.lexemes[0]?.key ?? '',
    ) || bag.lexemes[0]?.readings.some((each) => each.slot === 'cue' && each.cue === 'any');
  const isCount = bag.cue('how_many');
  if (!isCount && !isYesNo) return undefined;
  const noun = takeNoun(bag, catalogue);
  if (noun === undefined) return undefined;
  return recordDraft(bag, { op: 'count', noun, today });
};

/** Reads questions such as "Which obligations are due before the end of 2026", "list the pending USD transactions". */
export const listRecords: Frame = (bag, { catalogue, today }) => {
  const isList = bag.cues('show_list', 'which') > 0 || isNamedFirst(bag);
  const noun = isList ? takeNoun(bag, catalogue) : undefined;
  return noun === undefined ? undefined : recordDraft(bag, { op: 'list', noun, today });
};

/** Whether a question begins with the noun of records and its conditions: "obligations due in December". */
function isNamedFirst({ lexemes }: Bag): boolean {
  const first = lexemes.findIndex(({ readings }) => readings.some(({ slot }) => slot === 'noun'));
  return (
    first >= 0 &&
    lexemes
      .slice(0, first)
      .every(
        ({ key, readings }) =>
          readings.some(({ slot }) => slot === 'state' || slot === 'currency') ||
          /^(the|all|our|any|show|give me|all our|of)$/.test(key),
      )
  );
}

/** Whether a question asks what is due from a counterparty. */
function isReceivable({ lexemes }: Bag): boolean {
  return (
    lexemes.some(({ readings }) => readings.some((each) => each.slot === 'cue' && each.cue === 'due')) &&
    lexemes.some(
      ({ key }, at) =>
        key === 'from' &&
        lexemes[at + 1]?.readings.some(
          (each) => each.slot === 'entity' && each.subjects.some(({ type }) => type === 'counterparty'),
        ),
    )
  );
}

type RecordAsked = { op: 'count' | 'list'; noun: string; today: string };

function recordDraft(bag: Bag, { op, noun, today }: RecordAsked): QueryDraft | undefined {
  const states = takeStates(bag, noun);
  if (states.some(({ field }) => field === 'severity')) bag.cues('severity');
  const by =
    op === 'count' && bag.cues('by_currency') > 0
      ? 'currency'
      : op === 'count' && bag.cues('by_state') > 0
        ? 'state'
        : undefined;
  const dates = takeDates(bag, noun, today);
  // Money that is due from a counterparty is not an obligation of ours.
  if (!dates || isReceivable(bag)) return undefined;
  bag.cues(...dates.map(({ field }) => fieldCue(field)));
  if (noun === 'exception' && dates.length > 0) {
    bag.cues('opened');
    bag.all('cue', ({ cue }) => cue === 'error');
  }
  const workflow = takeMentions(bag, ['workflow']).map((subjects) => ({
    field: 'key',
    op: 'eq',
    value: subjects[0]!.key,
  }));
  const mentions = takeNamed(bag, noun);
  if (!mentions) return undefined;
  const where = [...states, ...dates, ...takeParties(bag), ...workflow];
  if (workflow.length > 0) bag.nouns('factor_run', 'scenario');
  bag.cues(...CUES);
  // These records have no state such as "posted". Such a word must not be skipped like a verb: the question is about
  // other records, so this frame does not apply.
  if (bag.see('state').length > 0) return undefined;
  const isToDate = dates.some(
    ({ op: each, value }) => each === 'between' && Array.isArray(value) && value[1] === today,
  );
  return draftOf(
    op,
    { measures: [noun], mentions },
    {
      ...(where.length > 0 ? { where } : {}),
      ...(by ? { by } : {}),
      ...(isCounted(bag)
        ? { assumptions: ['days_from_today'] }
        : isToDate
          ? { assumptions: ['period_to_date'] }
          : {}),
    },
  );
}

/** Returns the mentions of records of a noun that no slot has taken. */
export function namedOf(bag: Bag, noun: string): readonly unknown[] {
  return bag.see('entity', ({ subjects }) => subjects.some(({ type }) => type === noun));
}

/** Whether a question has words for a field that no other slot has taken. */
export function seesField(bag: Bag, noun: string, field: string): boolean {
  const cues = cuesOfField(noun, field);
  return (
    bag.see('cue', ({ cue }) => cues.includes(cue)).length > 0 ||
    (field === 'counterparty' && bag.see('noun', (reading) => reading.noun === 'counterparty').length > 0)
  );
}

/** Takes the name or reference of one record. Returns undefined if a question names several records. */
export function takeNamed(bag: Bag, noun: string): (readonly Subject[])[] | undefined {
  const named = takeMentions(bag, [noun]);
  return named.length > 1 ? undefined : named;
}

/**
 * Reads questions about a field of declared records, such as "What is the base currency of the portfolio A", "how many
 * rows does the dataset A have".
 */
export const declaredFields: Frame = (bag, { catalogue }) => {
  const noun = Object.keys(asked).find(
    (each) =>
      catalogue.measures.has(each) &&
      (bag.see('noun', (reading) => reading.noun === each).length > 0 ||
        bag.see('entity', ({ subjects }) => subjects.some(({ type }) => type === each)).length > 0),
  );
  const field = Object.keys(asked[noun ?? '']?.fields ?? {}).find(
    (each) => bag.see('cue', ({ cue }) => cue === fieldCue(each)).length > 0,
  );
  if (noun === undefined || field === undefined) return undefined;
  bag.cues(fieldCue(field));
  bag.nouns(noun);
  bag.cues(...CUES, 'how_many', 'how_much', 'when', 'source', 'use', 'belong', 'pronoun');
  const where = takeStates(bag, noun);
  const mentions = takeNamed(bag, noun);
  if (bag.see('state').length > 0 || !mentions) return undefined;
  return draftOf(
    'list',
    { measures: [noun], mentions },
    { ...(where.length > 0 ? { where } : {}), what: field },
  );
};

/** Reads questions such as "How much do we owe A in euros", "the outstanding amount of EUR obligations". */
export const owed: Frame = (bag, { catalogue, today }) => {
  if (!catalogue.measures.has('obligation')) return undefined;
  const owes = bag.cues('owe') > 0;
  const isOutstanding = bag.all('measure', ({ keys }) => keys.includes('obligation')).length > 0;
  const isOriginal = bag.lexemes.findIndex(({ key }) => key === 'original amount' || key === 'original');
  // "How much falls due this month", "the total overdue amount": the outstanding amounts are due.
  const isDue =
    bag.see('cue', ({ cue }) => cue === 'due' || cue === 'overdue').length > 0 &&
    (bag.has('how_much') || bag.see('agg', ({ agg }) => agg === 'sum').length > 0);
  if ((!owes && !isOutstanding && !isDue) || isReceivable(bag)) return undefined;
  if (isOriginal >= 0) return undefined;
  const isAmount = owes || isDue || bag.lexemes.some(({ key }) => /outstanding|owe/.test(key));
  const total = bag.all('agg', ({ agg }) => agg === 'sum').length > 0;
  const isAsked = bag.cues('how_much', 'which', 'show_list') > 0 || total;
  if (!isAmount || (!isAsked && !owes && !isOutstanding) || (bag.has('how_many') && !takeCurrencyCount(bag)))
    return undefined;
  bag.nouns('obligation');
  const states = takeStates(bag, 'obligation').filter(({ value }) => value !== 'open');
  bag.all('state', ({ states: list }) => list.some(({ value }) => value === 'open'));
  bag.cues('owe', 'still', 'all', 'how_much', 'by_currency', 'which', 'entity_word');
  bag.all('when', ({ when }) => when.kind === 'now' || when.kind === 'latest');
  // "How much is due to A": the whole debt, since the question names no day.
  const isUndated = bag.see('when').length === 0 && bag.see('until').length === 0;
  const isToParty =
    bag.see('entity', ({ subjects }) => subjects.some(({ type }) => type === 'counterparty')).length > 0;
  if (isUndated && isToParty) bag.cues('due');
  const dates = takeDates(bag, 'obligation', today);
  const mentions = takeNamed(bag, 'obligation');
  if (!dates || !mentions) return undefined;
  const where = [...states, ...dates, ...takeParties(bag)];
  return draftOf(
    'aggregate',
    { measures: ['obligation.outstanding'], mentions },
    {
      agg: 'sum',
      by: 'currency',
      ...(where.length > 0 ? { where } : {}),
      ...(isCounted(bag) ? { assumptions: ['days_from_today'] } : {}),
    },
  );
};

/**
 * Takes the words "how many" before a currency, as in "how many euros", which ask for an amount. Returns whether the
 * question has these words.
 */
function takeCurrencyCount(bag: Bag): boolean {
  const at = bag.lexemes.findIndex(({ key }) => key === 'how many');
  if (at < 0 || !bag.lexemes[at + 1]?.readings.some(({ slot }) => slot === 'currency')) return false;
  return bag.cue('how_many');
}

/**
 * Reads questions such as "What is the per-action limit of the active delegation", "until when is the active delegation
 * valid".
 */
export const recordFields: Frame = (bag, { catalogue }) => {
  const field = ['per_action', 'per_day', 'per_month', 'valid_until'].find(
    (each) => bag.see('cue', ({ cue }) => cue === each).length > 0,
  );
  if (field === undefined) return undefined;
  const noun = takeNoun(bag, catalogue);
  if (noun !== 'delegation') return undefined;
  bag.cues(field, 'limit_field', ...CUES, 'how_much', 'when');
  bag.all('superlative', (_, { key }) => key.startsWith('max'));
  const where = [...takeStates(bag, 'delegation'), ...takeParties(bag)];
  return draftOf(
    'list',
    { measures: ['delegation'] },
    { ...(where.length > 0 ? { where } : {}), what: field },
  );
};

/** Reads questions such as "Why did the forecast-refresh workflow fail". */
export const runErrors: Frame = (bag, { catalogue }) => {
  const isWhy = bag.cues('why') > 0;
  const isFailed =
    bag.see('state', ({ states }) => states.some(({ value }) => value === 'failed')).length > 0;
  const isError = bag.see('cue', ({ cue }) => cue === 'error').length > 0 || (isWhy && isFailed);
  const keys = takeMentions(bag, ['workflow']);
  if (!isError || keys.length !== 1 || !catalogue.measures.has('workflow_run')) return undefined;
  if (
    !isWhy &&
    !bag.lexemes.some(({ key }) =>
      /^(error|error code|error of|fault|went wrong|go wrong|go awry|went awry|failure reason|failure of)$/.test(
        key,
      ),
    )
  )
    return undefined;
  bag.nouns('workflow_run', 'factor_run', 'scenario');
  bag.cues('error', 'which', 'show_list', 'entity_word', 'why');
  bag.all('state', ({ states }) => states.some(({ value }) => value === 'failed'));
  const where = [
    { field: 'key', op: 'eq', value: keys[0]![0]!.key },
    { field: 'state', op: 'eq', value: 'failed' },
  ];
  return draftOf('explain', { measures: ['workflow_run'] }, { where, what: 'error' });
};
