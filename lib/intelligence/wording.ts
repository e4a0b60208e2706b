import { canonicalHash } from '#lib/core/seal.ts';
import type { Section } from './summary.ts';

/** A section put into words by a model that the workspace has chosen. */
export type Wording = { text: string; model: string; connection_uid: string; written_at: string };

export const WORDING_CHARACTERS_MAX = 600;

/** What a wording is of: it counts for exactly these facts. */
export function factsHash(section: Section): string {
  return canonicalHash({ schema: 'svc.summary.section/1', section });
}

/** Whether there is anything to put into words. The use of providers is not: each wording would change it. */
export function isWorthWording({ key, status, headline }: Section): boolean {
  const isReported = status === 'ok' || status === 'stale' || status === 'partial';
  return isReported && key !== 'ai' && headline.code !== 'nothing_recorded';
}

/** What a model is asked. Only figures go out: keys, numbers, currencies and instants, no name and no text of anybody. */
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
 * The text as it may be shown; undefined where it may not: every number in it has to be one of the section's own. Marks
 * that could become a link or a page are not shown either.
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

/** Every run of digits with the separators inside it, its sign left out: 1,250.5 is one number. */
function numbersIn(text: string): string[] {
  return text.match(/\d+(?:[.,]\d+)*/g) ?? [];
}

/** Without signs and separators of thousands: `-1,250` is 1250. */
function plain(number: string): string {
  return number.replace(/^-/, '').replace(/,(?=\d{3}(?:\D|$))/g, '');
}
