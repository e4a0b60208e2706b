import { renderSlots, type WordedSlot } from '#lib/ai/slot-wording.ts';
import type { Fact } from '../facts/fact.ts';
import type { Written } from '../wording/answer-text.ts';

export const WORDING_CHARACTERS_MAX = 1_000;

/** A slot that a provider may place: its id, its role and its unit, and no value. */
export type OfferedSlot = { slot: string; role: string; unit: string; required?: true };

type Placed = WordedSlot & { fact: string; role: string; unit: string };

/**
 * The figures and the directions of an answer as slots. Every figure with the role `result` must occur in a wording.
 */
function placesOf(facts: readonly Fact[]): Placed[] {
  const figures = facts.map(({ id, display, role, unit }) => ({
    id,
    fact: id,
    display,
    role,
    unit,
    isRequired: role === 'result',
  }));
  const directions = facts.flatMap(({ id, direction }, index) =>
    direction === undefined
      ? []
      : [
          {
            id: `d${index + 1}`,
            fact: id,
            display: direction,
            role: 'direction',
            unit: 'text',
            isRequired: false,
          },
        ],
  );
  return [...figures, ...directions];
}

/** Returns the slots that a provider is offered for a wording. */
export function offeredSlots(facts: readonly Fact[]): OfferedSlot[] {
  return placesOf(facts).map(({ id, role, unit, isRequired }) => ({
    slot: `{${id}}`,
    role,
    unit,
    ...(isRequired ? { required: true as const } : {}),
  }));
}

/** Returns the rendered wording of a provider, or the template if the wording may not be shown. */
export function wordedAnswer(
  answer: string,
  facts: readonly Fact[],
  template: Written,
): Written & { kind: 'provider' | 'template' } {
  const places = placesOf(facts);
  const rendered = renderSlots(answer, places, { charactersMax: WORDING_CHARACTERS_MAX });
  if (!rendered) return { ...template, kind: 'template' };
  const slots = rendered.slots.flatMap(({ from, to, id }) => {
    const { fact, role } = places.find((place) => place.id === id)!;
    return role === 'direction' ? [] : [{ from, to, fact }];
  });
  return { text: rendered.text, slots, kind: 'provider' };
}
