import { asked } from '#lib/core/asked.ts';
import type { Bag } from '../bag.ts';
import { daysAhead, daysBack, type Days, type When } from '../calendar.ts';
import type { Where } from '../query.ts';
import { isRecordNoun, recordNouns } from '../record-nouns.ts';
import { takeMentions, takeWhen, type FrameContext } from './common.ts';

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
export function isCounted(bag: Bag): boolean {
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

/** Whether a question asks what is due from a counterparty. */
export function isReceivable({ lexemes }: Bag): boolean {
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
