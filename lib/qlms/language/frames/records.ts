import { asked } from '#lib/core/asked.ts';
import type { Bag } from '../bag.ts';
import type { QueryDraft } from '../draft.ts';
import type { Subject } from '../query.ts';
import { cuesOfField, fieldCue } from '../record-nouns.ts';
import { draftOf, takeMentions, type Frame } from './common.ts';
import {
  isCounted,
  isReceivable,
  takeDates,
  takeNoun,
  takeParties,
  takeStates,
} from './record-conditions.ts';

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
