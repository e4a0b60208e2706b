import { canonicalHash } from '#lib/core/seal.ts';
import type { Section } from './summary.ts';

/** The text of a section, written by the model that the workspace has chosen. */
export type Wording = { text: string; model: string; connection_uid: string; written_at: string };

export const WORDING_CHARACTERS_MAX = 600;

/** Returns the hash of the facts of a section. A wording is valid for exactly these facts. */
export function factsHash(section: Section): string {
  return canonicalHash({ schema: 'svc.summary.section/1', section });
}

/**
 * Whether a model should write the text of a section. The section on AI providers is excluded, because each
 * wording would change its figures.
 */
export function isWorthWording({ key, status, headline }: Section): boolean {
  const isReported = status === 'ok' || status === 'stale' || status === 'partial';
  return isReported && key !== 'ai' && headline.code !== 'nothing_recorded';
}

/**
 * Returns the prompt of a wording. The prompt contains only figures: keys, numbers, currencies and instants, but no
 * names and no texts that persons wrote.
 */
export function wordingMessages({ key, status, metrics, attention }: Section): {
  system: string;
  user: string;
} {
  const figures = metrics.map(({ key: of, value, unit, currency }) => ({ key: of, value, unit, currency }));
  const wanted = attention.map(({ code, severity, count }) => ({ code, severity, count }));
  return {
    system:
      `You describe the state of one domain of a finance platform for a person, in at most three plain sentences of ` +
      `together at most ${WORDING_CHARACTERS_MAX} characters. Use only the figures that you are given, written in digits ` +
      `exactly as they are. Compute nothing, compare nothing with what you are not given, advise nothing. Answer with the ` +
      `text alone.`,
    user: JSON.stringify({ domain: key, status, figures, attention: wanted }),
  };
}

/**
 * Returns the text if it may be shown, otherwise undefined. Every number in the text must be a number of the section.
 * Characters that could form a link or markup are not allowed.
 */
export function groundedText(answer: string, { metrics, attention }: Section): string | undefined {
  const text = answer.trim().replace(/\s+/g, ' ');
  if (text === '' || text.length > WORDING_CHARACTERS_MAX) return undefined;
  if (/[^\x20-\x7e\u00a0-\u024f\u2010-\u2027\u20a0-\u20bf]|[<>[\]`{}]|:\/\//u.test(text)) return undefined;
  const known = new Set(
    [
      ...metrics.flatMap(({ key, value }) => [String(value), ...numbersIn(key)]),
      ...attention.flatMap(({ code, count }) => [String(count), ...numbersIn(code)]),
    ].map(plain),
  );
  return numbersIn(text).every((number) => known.has(plain(number))) ? text : undefined;
}

/** Returns every run of digits in a text with its separators, without a sign. Example: 1,250.5 is one number. */
function numbersIn(text: string): string[] {
  return text.match(/\d+(?:[.,]\d+)*/g) ?? [];
}

/** Removes the sign and the thousands separators of a number. Example: `-1,250` becomes 1250. */
function plain(number: string): string {
  return number.replace(/^-/, '').replace(/,(?=\d{3}(?:\D|$))/g, '');
}
