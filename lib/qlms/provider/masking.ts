import type { Catalogue } from '../language/catalogue.ts';
import type { Subject } from '../language/query.ts';
import type { Span } from '../language/codes.ts';
import { lex } from '../language/lex.ts';

/**
 * A question in which a placeholder (`mark`) such as `<e1>` replaces each name of a record. `names` has the position of each
 * name in the question, and the subjects that the name can stand for.
 */
export type Masked = {
  text: string;
  names: readonly (Span & { mark: string; subjects: readonly Subject[] })[];
};

/** Replaces every name of a record in a question by a placeholder. The measures of the catalogue keep their names. */
export function maskNames(question: string, catalogue: Catalogue, today: string): Masked {
  const { lexemes } = lex(question, catalogue.lexicon, { today });
  const names: Masked['names'][number][] = [];
  let text = '';
  let at = 0;
  for (const { from, to, readings } of lexemes) {
    const subjects = readings.flatMap((each) => (each.slot === 'entity' ? each.subjects : []));
    if (subjects.length === 0) continue;
    const mark = `<e${names.length + 1}>`;
    text += question.slice(at, from) + mark;
    names.push({ mark, from, to, subjects });
    at = to;
  }
  return { text: text + question.slice(at), names };
}

/**
 * Converts a range of the masked text to the range of the question. A part of a placeholder counts as the whole name.
 */
export function unmasked({ names }: Masked, { from, to }: Span): Span {
  return { from: positionOf(names, from, 'from'), to: positionOf(names, to, 'to') };
}

function positionOf(names: Masked['names'], at: number, edge: keyof Span): number {
  let shift = 0;
  for (const { mark, from, to } of names) {
    const start = from - shift;
    if (at < start || (at === start && edge === 'to')) break;
    if (at < start + mark.length) return edge === 'from' ? from : to;
    shift += to - from - mark.length;
  }
  return at + shift;
}

/** The largest number of measures that a request to a provider lists. */
export const MEASURES_MAX = 400;

/** Returns the keys and titles of the measures that a provider may propose: the measures of the caller's domains. */
export function proposable({ measures, open }: Catalogue): { key: string; title: string }[] {
  return [...measures.values()]
    .filter(({ domain }) => open.has(domain))
    .slice(0, MEASURES_MAX)
    .map(({ key, title }) => ({ key, title }));
}
