import { asked } from '#lib/core/asked.ts';
import type { Bag } from '../bag.ts';
import type { When } from '../calendar.ts';
import type { QueryDraft } from '../draft.ts';
import type { Where } from '../query.ts';
import type { Subject } from '../query.ts';
import { cuesOfField, fieldCue, fieldsOf, isRecordNoun, recordNouns } from '../record-nouns.ts';
import {
  draftOf,
  takeAsOf,
  takeLimit,
  takeMentions,
  takeWhen,
  type Frame,
  type FrameContext,
} from './common.ts';

/**
 * Takes the conditions on the records of a noun, each once. States of other nouns stay free. Of two values of one field,
 * such as "registered or disputed", the second stays free, because no record has both.
 */
function takeStates(bag: Bag, noun: string): Where[] {
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

function takeNoun(bag: Bag, catalogue: FrameContext['catalogue']): string | undefined {
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
 * Returns the noun that other words imply: "term loans" are obligations, and the name of a workflow stands for its
 * runs.
 */
function impliedNoun(bag: Bag): string | undefined {
  const typed = bag.see('state', ({ states }) =>
    states.some(({ noun, field }) => noun === 'obligation' && field === 'type'),
  );
  if (typed.length > 0) return 'obligation';
  const referred = bag.see('entity', ({ subjects }) => isRecordNoun(subjects[0]!.type))[0];
  if (referred) return referred.subjects[0]!.type;
  const named = bag.see('entity', ({ subjects }) => subjects.some(({ type }) => type === 'workflow'));
  return named.length > 0 ? 'workflow_run' : undefined;
}

/** Takes conditions by date: due dates of obligations, ends of runs. */
function takeDates(bag: Bag, noun: string, today: string): Where[] | undefined {
  const where: Where[] = [];
  if (noun === 'obligation') {
    const isOverdue = bag.cues('overdue') > 0;
    const until = bag.one('until');
    const isDue = bag.cues('due') > 0;
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
      if (when?.kind === 'future' && when.stretch)
        where.push(between('due_date', when.stretch.from, when.stretch.to));
      else if (when?.kind === 'stretch') where.push(between('due_date', when.from, when.to));
      else return undefined;
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
  const span = spanOf(when);
  if (!span) return undefined;
  return [between(field, span.from, span.to > today ? today : span.to)];
}

function spanOf(when: When): { from: string; to: string } | undefined {
  if (when.kind === 'stretch') return { from: when.from, to: when.to };
  return when.kind === 'range' && when.to ? { from: when.from.from, to: when.to.to } : undefined;
}

function between(field: string, from: string, to: string): Where {
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
function takeParties(bag: Bag): Where[] {
  const parties = takeMentions(bag, ['counterparty']);
  const currencies = bag.all('currency');
  if (parties.length > 0) bag.cues('entity_word');
  if (currencies.length > 0) bag.cues('unit');
  return [
    ...parties.map((subjects) => ({ field: 'counterparty', op: 'eq', value: Number(subjects[0]!.key) })),
    ...currencies.map(({ codes }) => ({ field: 'currency', op: 'eq', value: codes[0]! })),
  ];
}

const CUES = ['show_list', 'which', 'any', 'all', 'still', 'hold', 'entity_word', 'how'];

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
  if (!dates) return undefined;
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
      ...(isToDate ? { assumptions: ['period_to_date'] } : {}),
    },
  );
}

/** Takes the name or reference of one record. Returns undefined if a question names several records. */
function takeNamed(bag: Bag, noun: string): (readonly Subject[])[] | undefined {
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

/**
 * Reads questions about a field of one built-in record, such as "When does the loan A fall due", "what is the original
 * amount of A".
 */
export const recordReferences: Frame = (bag, { catalogue }) => {
  const noun = recordNouns.find(
    (each) => asked[each] === undefined && catalogue.measures.has(each) && namedOf(bag, each).length > 0,
  );
  if (noun === undefined) return undefined;
  const mentions = takeNamed(bag, noun);
  const seen = Object.keys(fieldsOf(noun)).filter((field) => seesField(bag, noun, field));
  // "Who do we owe A to" asks for the party, not for the amount.
  const isWho = bag.lexemes.some(({ key }) => /^(who|whom|whose)$/.test(key)) && seen.includes('outstanding');
  const fields = isWho ? ['counterparty'] : seen;
  if (!mentions || fields.length !== 1) return undefined;
  const [field] = fields as [string];
  bag.cues(...cuesOfField(noun, field), ...(isWho ? cuesOfField(noun, 'outstanding') : []));
  if (field === 'counterparty') bag.nouns('counterparty');
  // "The invoice A": the type before a reference only says again what the record is.
  bag.nouns(noun);
  bag.cues(...CUES, 'how_much', 'when', 'pronoun', 'severity');
  return draftOf('list', { measures: [noun], mentions }, { what: field });
};

function namedOf(bag: Bag, noun: string): readonly unknown[] {
  return bag.see('entity', ({ subjects }) => subjects.some(({ type }) => type === noun));
}

/** Whether a question has words for a field that no other slot has taken. */
function seesField(bag: Bag, noun: string, field: string): boolean {
  const cues = cuesOfField(noun, field);
  return (
    bag.see('cue', ({ cue }) => cues.includes(cue)).length > 0 ||
    (field === 'counterparty' && bag.see('noun', (reading) => reading.noun === 'counterparty').length > 0)
  );
}

/**
 * Reads questions about a figure of declared records that is not a column, such as "What is the value of the portfolio
 * A", "how many holdings does each portfolio have".
 */
export const recordFigures: Frame = (bag, { catalogue }) => {
  const noun = Object.keys(asked).find(
    (each) =>
      asked[each]!.figures !== undefined &&
      catalogue.measures.has(each) &&
      (bag.see('noun', (reading) => reading.noun === each).length > 0 || namedOf(bag, each).length > 0),
  );
  const fields = Object.keys(asked[noun ?? '']?.figures ?? {}).filter((field) =>
    seesField(bag, noun!, field),
  );
  // "Cash value" and "market value of the cash" name two figures.
  if (noun === undefined || fields.length !== 1) return undefined;
  const [field] = fields as [string];
  const mentions = takeNamed(bag, noun);
  bag.cues(...cuesOfField(noun, field));
  bag.nouns(noun);
  bag.cues(...CUES, 'how_many', 'how_much', 'pronoun');
  const where = takeStates(bag, noun);
  const asOf = takeAsOf(bag);
  bag.all('when', ({ when }) => when.kind === 'now' || when.kind === 'latest');
  const when = takeWhen(bag);
  if (!mentions || bag.see('state').length > 0) return undefined;
  return draftOf(
    'value',
    { measures: [`${noun}.${field}`], mentions, asOf, when },
    where.length > 0 ? { where } : {},
  );
};

/** Words that rank amounts and counts. Words such as "worst" and "best" do not name a figure. */
const SIZES =
  /^(largest|biggest|greatest|highest|maximum|max|top|hugest|smallest|lowest|minimum|min|fewest)$/;
const SIZE_OF_VALUE = /^(highest|largest|top|maximum|max|lowest|minimum|min) value$/;
const MOST = /^(most|least)$/;
/** Words that rank days. */
const EARLIEST = /^(first|earliest|next|soonest|nearest|oldest|longest standing)$/;
/** Words for the first day from today on. */
const NEXT = /^(next|soonest|nearest)$/;
const LATEST = /^(last|latest|newest|most recent|most recently|furthest|youngest)$/;

/** The amount that ranks records if a question names no field. */
const AMOUNTS: Readonly<Record<string, string>> = {
  obligation: 'outstanding',
  exception: 'amount',
  transaction: 'amount',
};
/** The day that ranks records if a question names no field. */
const DAYS: Readonly<Record<string, string>> = {
  exception: 'opened_at',
  transaction: 'booked_at',
  workflow_run: 'ended',
};

/**
 * Reads questions such as "The three largest open obligations", "which obligation is due next", "the oldest open
 * exception", "which dataset has the most rows".
 */
export const rankRecords: Frame = (bag, { catalogue, today }) => {
  const word = (form: RegExp): boolean => bag.lexemes.some(({ key }) => form.test(key));
  const noun = takeNoun(bag, catalogue);
  if (noun === undefined || namedOf(bag, noun).length > 0) return undefined;
  // In "the highest value", one phrase names the order and the figure.
  const isOfValue = word(SIZE_OF_VALUE) && Object.hasOwn(fieldsOf(noun), 'value');
  const [isMost, isSize] = [word(MOST), word(SIZES) || isOfValue];
  const [isEarly, isLate] = [word(EARLIEST), word(LATEST)];
  const isRanked = bag.cues('rank') > 0;
  const named = Object.keys(fieldsOf(noun)).filter(
    (field) => isOrdered(noun, field) && ((isOfValue && field === 'value') || seesField(bag, noun, field)),
  );
  const days = named.filter((field) => fieldsOf(noun)[field]!.reads === 'day');
  const figures = named.filter((field) => fieldsOf(noun)[field]!.reads !== 'day');
  if (figures.length > 1 || days.length > 1) return undefined;
  const isOfDay = (isEarly || isLate) && !isSize && !isMost;
  const field = isOfDay
    ? (days[0] ?? DAYS[noun] ?? asked[noun]?.day)
    : (figures[0] ?? (isSize || isRanked ? AMOUNTS[noun] : undefined));
  if (field === undefined || (isEarly && isLate) || !(isOfDay || isSize || isMost || isRanked))
    return undefined;
  const superlatives = bag.all(
    'superlative',
    (_, { key }) => SIZES.test(key) || MOST.test(key) || (isOfValue && SIZE_OF_VALUE.test(key)),
  );
  const orders = new Set(superlatives.filter(({ lexeme }) => lexeme.key !== 'top').map(({ order }) => order));
  if (orders.size > 1) return undefined;
  bag.all('agg', (_, { key }) => SIZES.test(key));
  const nth = isOfDay ? undefined : bag.one('nth')?.nth;
  if (isOfDay) {
    bag.cues('first', 'last_time', 'soonest', 'when');
    bag.all('nth', ({ nth: place }) => place === 1);
    bag.all('when', ({ when }) => when.kind === 'latest');
  }
  const limit = takeLimit(bag) ?? (isSingular(bag, noun) ? 1 : 10);
  // A condition such as "due in December" also uses the words of the due date.
  const isCondition = noun === 'obligation' && (bag.see('when').length > 0 || bag.see('until').length > 0);
  if (!isCondition) bag.cues(...cuesOfField(noun, field));
  const isNext = isOfDay && word(NEXT);
  const where = rankConditions(bag, { noun, field, today, isNext });
  if (!where) return undefined;
  bag.cues(...cuesOfField(noun, field), 'still', 'how_much', 'when');
  bag.all('measure', ({ keys }) => keys.includes(noun));
  bag.cues(...CUES);
  if (bag.see('state').length > 0) return undefined;
  const order = isOfDay ? (isLate ? 'latest' : 'earliest') : (orders.values().next().value ?? 'desc');
  return draftOf(
    'rank',
    { measures: [`${noun}.${field}`] },
    {
      order,
      limit: Math.max(nth ?? 1, limit),
      ...(nth === undefined ? {} : { nth }),
      ...(where.length > 0 ? { where } : {}),
    },
  );
};

/** Whether records can be ranked by a field. */
function isOrdered(noun: string, field: string): boolean {
  return /^(day|count|money)$/.test(fieldsOf(noun)[field]!.reads);
}

type Ranking = { noun: string; field: string; today: string; isNext: boolean };

/** Takes the conditions of a ranking. "Open" obligations have an outstanding amount; "due next" starts today. */
function rankConditions(bag: Bag, { noun, field, today, isNext }: Ranking): Where[] | undefined {
  const states = takeStates(bag, noun);
  if (states.some(({ field: own }) => own === 'severity')) bag.cues('severity');
  const isOpen =
    noun === 'obligation' &&
    bag.all('state', ({ states: list }) => list.some(({ value }) => value === 'open')).length > 0;
  const dates = takeDates(bag, noun, today);
  if (!dates) return undefined;
  const isDueNext = noun === 'obligation' && isNext && field === 'due_date' && dates.length === 0;
  const outstanding: Where = { field: 'outstanding', op: 'gt', value: '0' };
  const isHeld = dates.some(({ field: own }) => own === 'outstanding');
  return [
    ...states,
    ...dates,
    ...(isDueNext ? [{ field: 'due_date', op: 'gte', value: today }] : []),
    ...((isDueNext || isOpen) && !isHeld ? [outstanding] : []),
    ...takeParties(bag),
  ];
}

/** Whether a question asks for one record: the noun of the records is in the singular. */
function isSingular(bag: Bag, noun: string): boolean {
  const names = bag.lexemes.filter(({ readings }) =>
    readings.some(
      (each) =>
        (each.slot === 'noun' && each.noun === noun) ||
        (each.slot === 'state' && each.states.some((state) => state.noun === noun && state.field === 'type')),
    ),
  );
  return names.every(({ key }) => !/s$|^(letters|batches|data sets)\b/.test(key));
}

/** Reads questions such as "How much do we owe A in euros", "the outstanding amount of EUR obligations". */
export const owed: Frame = (bag, { catalogue, today }) => {
  if (!catalogue.measures.has('obligation')) return undefined;
  const owes = bag.cues('owe') > 0;
  const isOutstanding = bag.all('measure', ({ keys }) => keys.includes('obligation')).length > 0;
  const isOriginal = bag.lexemes.findIndex(({ key }) => key === 'original amount' || key === 'original');
  if (!owes && !isOutstanding) return undefined;
  if (isOriginal >= 0) return undefined;
  const isAmount = owes || bag.lexemes.some(({ key }) => /outstanding|owe/.test(key));
  const total = bag.all('agg', ({ agg }) => agg === 'sum').length > 0;
  const isAsked = bag.cues('how_much', 'which', 'show_list') > 0 || total;
  if (!isAmount || (!isAsked && !owes && !isOutstanding) || (bag.has('how_many') && !takeCurrencyCount(bag)))
    return undefined;
  bag.nouns('obligation');
  const states = takeStates(bag, 'obligation').filter(({ value }) => value !== 'open');
  bag.all('state', ({ states: list }) => list.some(({ value }) => value === 'open'));
  bag.cues('owe', 'still', 'all', 'how_much', 'by_currency', 'which', 'entity_word');
  bag.all('when', ({ when }) => when.kind === 'now' || when.kind === 'latest');
  const dates = takeDates(bag, 'obligation', today);
  const mentions = takeNamed(bag, 'obligation');
  if (!dates || !mentions) return undefined;
  const where = [...states, ...dates, ...takeParties(bag)];
  return draftOf(
    'aggregate',
    { measures: ['obligation.outstanding'], mentions },
    { agg: 'sum', by: 'currency', ...(where.length > 0 ? { where } : {}) },
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
