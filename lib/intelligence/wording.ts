import { renderSlots, type WordedSlot } from '#lib/ai/slot-wording.ts';
import { canonicalHash } from '#lib/core/seal.ts';
import { displayOf, type Section } from './summary.ts';

/** The text of a section, written by the model that the workspace has chosen. */
export type Wording = { text: string; model: string; connection_uid: string; written_at: string };

export const WORDING_CHARACTERS_MAX = 600;

/** Returns the hash of the facts of a section. A wording is valid for exactly these facts. */
export function factsHash(section: Section): string {
  return canonicalHash({ schema: 'svc.summary.section/1', section });
}

/**
 * Whether a model should write the text of a section. The section on AI providers is excluded, because each wording
 * would change the figures of that section.
 */
export function isWorthWording({ key, status, headline }: Section): boolean {
  const isReported = status === 'ok' || status === 'stale' || status === 'partial';
  return isReported && key !== 'ai' && headline.code !== 'nothing_recorded';
}

/** A figure of a section as a slot: the model writes `{f1}`, and code replaces it with the figure. */
type Slotted = WordedSlot & { key: string };

/**
 * Returns the slots of a section: the known figures, then the counts of items that need attention. A text must mention
 * each of these counts.
 */
function slotsOf({ metrics, attention }: Section): Slotted[] {
  const figures = metrics
    .filter(({ value }) => value !== null)
    .map((metric) => ({ key: metric.key, display: displayOf(metric), isRequired: false }));
  const wanted = attention.map(({ code, count }) => ({
    key: code,
    display: String(count),
    isRequired: true,
  }));
  return [...figures, ...wanted].map((slot, index) => ({ ...slot, id: `f${index + 1}` }));
}

/**
 * Returns the prompt of a wording. The prompt contains the names of figures and their slots, but no value, no name of a
 * record and no text that a person wrote.
 */
export function wordingMessages(section: Section): { system: string; user: string } {
  const slots = slotsOf(section).map(({ id, key, isRequired }) => ({
    slot: `{${id}}`,
    key,
    ...(isRequired ? { required: true } : {}),
  }));
  return {
    system:
      `You describe the state of one domain of a finance platform for a person, in at most three plain sentences of ` +
      `together at most ${WORDING_CHARACTERS_MAX} characters. You do not see the figures. Write each figure as its slot, for ` +
      `example {f1}, at most once. Write every slot that is marked as required. Write no digits, no words for numbers, no ` +
      `units, no comparisons, no causes and no advice. Answer with the text alone.`,
    user: JSON.stringify({ domain: section.key, status: section.status, slots }),
  };
}

/** Returns the text with the figures in its slots if it may be shown, otherwise undefined. */
export function groundedText(answer: string, section: Section): string | undefined {
  return renderSlots(answer, slotsOf(section), { charactersMax: WORDING_CHARACTERS_MAX })?.text;
}
