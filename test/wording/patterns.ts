import type { Sentence } from './prose.ts';

/** A form that makes a sentence hard to read, why, and what to write in its place. */
type Pattern = { name: string; finds: RegExp; why: string; better: string };

const patterns: readonly Pattern[] = [
  {
    name: 'headless subject',
    finds:
      /^(?:What|Who|Whoever|Whatever|Whichever)\b(?! (?:is|are|does|do|did|can|may|should) (?:it|this|that|the|you|I|we|a)\b)[^?]*[^?]$/,
    why: 'A clause is not a subject: the reader has to hold it until the verb comes.',
    better: 'Begin with the noun: "The lock is held by ...", "A caller that ...".',
  },
  {
    name: 'headless subject',
    finds:
      /[,;:] (?:what|whoever|whatever) (?:is|was|are|were|has|had|came|comes|goes|went|stands|fails|cannot|can|may|does|they|it)\b[^?]*$/,
    why: 'A clause is not a subject: the reader has to hold it until the verb comes.',
    better: 'Begin with the noun: "rows that are missing ...", "a caller that ...".',
  },
  {
    name: 'tell',
    finds: /\b(?:tell|tells|told|telling|tellable)\b/i,
    why: 'Figures, fields and messages are not told.',
    better: 'report, return, state, list, record, distinguish',
  },
  { name: 'anew', finds: /\banew\b/i, why: 'The word is archaic.', better: 'again' },
  {
    name: 'beside',
    finds: /\bbeside\b/i,
    why: 'The word is read as a place.',
    better: 'next to, in addition to, with, as well as, compared with',
  },
  {
    name: 'by the clock',
    finds: /\bby the clock\b/i,
    why: 'There is a term for it.',
    better: 'periodic, scheduled; for durations: wall-clock time',
  },
  {
    name: 'is no',
    finds:
      /(?<!\bthere )\b(?:is|are|was|were) (?:no|none)\b(?! (?:longer|more|one|other|less|greater|larger|later|earlier|smaller|fewer)\b)(?! of)/i,
    why: 'The plain negation is "is not a".',
    better: 'is not a ..., there is no ..., has no ...',
  },
  {
    name: 'stand',
    finds: /\b(?:stands?|stood|standing)\b(?! (?:for|in for|by itself|order)\b)/i,
    why: 'Code, rows and files do not stand.',
    better: 'is, is in, is stored in, applies, holds',
  },
  {
    name: 'ask',
    finds: /\b(?:is|are|was|were|be|been|being) asked\b(?! to\b)|\bwhoever asks\b|\basked for\b/i,
    why: 'The field says request.',
    better: 'requested, read, evaluated, required',
  },
  {
    name: 'archaic word',
    finds:
      /\b(?:thereof|therein|thereby|whence|wherein|whilst|amongst|naught|nought|lest|ere|hitherto|henceforth|for ever|for want of|in the stead of|ought|nobody's|shall)\b/i,
    why: 'The word is archaic.',
    better: 'the everyday word: its, in it, while, among, forever, without, should',
  },
  {
    name: 'cannot be',
    finds: /\bcan(?:not| not|'t) be[.,;:!]?$|\bcannot be[.,;]/i,
    why: 'The sentence does not say what is wrong.',
    better: 'is not valid, does not exist, is not supported',
  },
  {
    name: 'comes back by',
    finds: /\b(?:comes?|came) (?:back )?by\b|\bcomes? to nothing\b|\bgoes? before\b|\blet\w* go\b/i,
    why: 'A metaphor in the place of a term.',
    better: 'needs re-approval, is restored, has priority',
  },
  {
    name: 'all the same',
    finds:
      /\ball the same\b|\bnone the less\b|\bto the full\b|\bat the most\b|\bat the least\b|\bwhat(?:ever)? becomes of\b/i,
    why: 'The idiom is translated.',
    better: 'still, fully, at most, at least, regardless of',
  },
  {
    name: 'in the place of',
    finds: /\bin the (?:place|stead) of\b|\bin the way of\b|\bby way of\b/i,
    why: 'The phrase is longer than its meaning.',
    better: 'instead of, like, through',
  },
];

export type Finding = { sentence: Sentence; pattern: Pattern };

/** The patterns that a sentence has. */
export function findingsIn(sentence: Sentence): Finding[] {
  return patterns.filter(({ finds }) => finds.test(sentence.text)).map((pattern) => ({ sentence, pattern }));
}
