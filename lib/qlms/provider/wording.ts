import { renderSlots, type WordedSlot } from '#lib/ai/slot-wording.ts';
import type { Answered } from '../answer.ts';
import type { Fact } from '../facts/fact.ts';
import {
  mentionText,
  noNames,
  type Mention,
  type MentionContext,
  type Mentioned,
} from '../wording/mentions.ts';

export const WORDING_CHARACTERS_MAX = 1_000;

/** A slot that a provider may place: its id, its role and its unit, and no value. */
export type OfferedSlot = { slot: string; role: string; unit: string; required?: true };

type Placed = WordedSlot & { fact: string; role: string; unit: string; what: Mentioned | null };

/** The names that a provider may place besides the figures, by the letter of their slots. */
const NAMED: readonly (readonly [string, Mentioned])[] = [
  ['m', 'measure'],
  ['s', 'subject'],
  ['p', 'period'],
];

/** Returns the figures, directions and names of an answer as slots. Every result must occur in a wording. */
function placesOf(facts: readonly Fact[], context: MentionContext): Placed[] {
  const figures = facts.map(({ id, display, role, unit }): Placed => ({
    id,
    fact: id,
    display,
    role,
    unit,
    isRequired: role === 'result',
    what: null,
  }));
  const others = facts.flatMap((fact, index): Placed[] => {
    const slot = { fact: fact.id, unit: 'text', isRequired: false };
    const direction: Placed[] =
      fact.direction === undefined
        ? []
        : [{ ...slot, id: `d${index + 1}`, display: fact.direction, role: 'direction', what: null }];
    const names = NAMED.flatMap(([letter, what]): Placed[] => {
      const display = mentionText(what, fact, context);
      return display === undefined || display === ''
        ? []
        : [{ ...slot, id: `${letter}${index + 1}`, display, role: `${what} of f${index + 1}`, what }];
    });
    return [...direction, ...names];
  });
  return [...figures, ...others];
}

type Context = Partial<MentionContext>;

/** Returns the slots that a provider is offered for a wording. */
export function offeredSlots(
  facts: readonly Fact[],
  { query = null, names = noNames }: Context = {},
): OfferedSlot[] {
  return placesOf(facts, { query, names }).map(({ id, role, unit, isRequired }) => ({
    slot: `{${id}}`,
    role,
    unit,
    ...(isRequired ? { required: true as const } : {}),
  }));
}

/** Returns an answer with the rendered wording of a provider; undefined if the wording may not be shown. */
export function wordedAnswer(wording: string, answered: Answered): Answered | undefined {
  const { facts, query, names = noNames } = answered;
  const places = placesOf(facts, { query, names });
  const rendered = renderSlots(wording, places, { charactersMax: WORDING_CHARACTERS_MAX });
  if (!rendered) return undefined;
  const placed = rendered.slots.map(({ from, to, id }) => ({
    from,
    to,
    ...places.find((place) => place.id === id)!,
  }));
  const mentions = placed.flatMap(({ from, to, fact, what }): Mention[] =>
    what === null ? [] : [{ from, to, what, fact }],
  );
  const slots = placed.flatMap(({ from, to, fact, what, role }) =>
    what !== null || role === 'direction' ? [] : [{ from, to, fact }],
  );
  return { ...answered, text: rendered.text, slots, mentions, names };
}
