import type { Answered } from '../answer.ts';
import type { Fact } from '../facts/fact.ts';
import type { Slot } from './answer-text.ts';
import { mentionText, noNames, type Mention, type MentionContext, type MentionedFact } from './mentions.ts';

/** The mentions of a text, with the query and the names that they are checked against. */
export type Mentioning = MentionContext & { mentions: readonly Mention[] };

const nothing: Mentioning = { mentions: [], query: null, names: noNames };

/**
 * Returns the faults of a text: slots that do not show the formatted value of their fact, mentions that do not show what
 * they name, and numbers outside of all slots and mentions. An empty list means that each number in the text is a
 * displayed fact, or part of a name or period of a fact or the query.
 */
export function groundingFaults(
  text: string,
  slots: readonly Slot[],
  facts: readonly (MentionedFact & Pick<Fact, 'display'>)[],
  { mentions, ...context }: Mentioning = nothing,
): string[] {
  const displays = new Map(facts.map(({ id, display }) => [id, display]));
  const wrong = slots.filter(({ from, to, fact }) => displays.get(fact) !== text.slice(from, to));
  const faults = wrong.map(({ fact }) => `the slot of ${fact} does not show its display`);
  for (const { from, to, what, fact } of mentions) {
    const found = facts.find(({ id }) => id === fact);
    if (mentionText(what, found, context) !== text.slice(from, to))
      faults.push(`the mention of ${what} does not show its name`);
  }
  let outside = '';
  let at = 0;
  for (const { from, to } of [...slots, ...mentions].sort((one, other) => one.from - other.from)) {
    if (from < at) faults.push('two slots overlap');
    outside += `${text.slice(at, from)} `;
    at = to;
  }
  outside += text.slice(at);
  for (const [number] of outside.matchAll(/\p{N}+/gu)) faults.push(`the number ${number} is in no slot`);
  return faults;
}

/** Returns the faults of the text of an answer of the engine. */
export function textFaults({
  text,
  slots,
  facts,
  mentions = [],
  query,
  names = noNames,
}: Answered): string[] {
  return groundingFaults(text, slots, facts, { mentions, query, names });
}
