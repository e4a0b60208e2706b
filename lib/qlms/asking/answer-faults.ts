import type { SemanticQuery } from '../language/query.ts';
import { groundingFaults } from '../wording/grounding.ts';
import { noNames } from '../wording/mentions.ts';
import { ANSWERS, type SealedAnswer } from './answer.schema.ts';

/**
 * Returns the faults of the text of a sealed answer: numbers that differ from the formatted value of their fact, and
 * numbers that belong to no fact. Returns undefined if `text` is not an answer to a question, or if the answer has no
 * text.
 */
export function answerFaults(text: string): string[] | undefined {
  const document = JSON.parse(text) as Partial<SealedAnswer> | null;
  if (document?.kind !== ANSWERS || typeof document.text !== 'string') return undefined;
  const { text: told, slots = [], facts = [], mentions = [], query = null, names } = document;
  // A sealed query has the members of a semantic query.
  const asked = query as SemanticQuery | null;
  return groundingFaults(told, slots, facts, { mentions, query: asked, names: names ?? noNames });
}
