import { groundingFaults } from '../wording/grounding.ts';
import { ANSWERS, type SealedAnswer } from './answer.schema.ts';

/**
 * Returns the faults of the text of a sealed answer: numbers that differ from the formatted value of their fact, and
 * numbers that belong to no fact. Returns undefined if `text` is not an answer to a question, or if the answer has no
 * text.
 */
export function answerFaults(text: string): string[] | undefined {
  const document = JSON.parse(text) as Partial<SealedAnswer> | null;
  if (document?.kind !== ANSWERS || typeof document.text !== 'string') return undefined;
  return groundingFaults(document.text, document.slots ?? [], document.facts ?? []);
}
