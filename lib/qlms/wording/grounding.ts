import type { Fact } from '../facts/fact.ts';
import type { Slot } from './answer-text.ts';

/**
 * Returns the faults of a text: slots that do not show the formatted value of their fact, slots that overlap, and
 * numbers outside of all slots. An empty list means that all numbers in the text are displayed facts.
 */
export function groundingFaults(
  text: string,
  slots: readonly Slot[],
  facts: readonly Pick<Fact, 'id' | 'display'>[],
): string[] {
  const displays = new Map(facts.map(({ id, display }) => [id, display]));
  const wrong = slots.filter(({ from, to, fact }) => displays.get(fact) !== text.slice(from, to));
  const faults = wrong.map(({ fact }) => `the slot of ${fact} does not show its display`);
  let outside = '';
  let at = 0;
  for (const { from, to } of [...slots].sort((one, other) => one.from - other.from)) {
    if (from < at) faults.push('two slots overlap');
    outside += `${text.slice(at, from)} `;
    at = to;
  }
  outside += text.slice(at);
  for (const [number] of outside.matchAll(/\p{N}+/gu)) faults.push(`the number ${number} is in no slot`);
  return faults;
}
