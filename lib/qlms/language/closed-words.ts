import { cueWords } from './cue-words.ts';
import { meaningWords } from './meaning-words.ts';
import type { Reading } from './readings.ts';
import { askedWords } from './record-nouns.ts';

/** Cues that only introduce or connect the words of a question. */
const NEUTRAL = new Set(['which', 'show_list', 'how', 'any', 'all', 'belong', 'use', 'hold', 'pronoun']);

/** Cues that change what a question asks for: their phrases are never read as single words. */
const STRONG = new Set([
  'why',
  'premise',
  'cause',
  'right',
  'will',
  'believe',
  'minus',
  'convert',
  'overdue',
]);

/** The readings of each phrase. The key is the words of the phrase, separated by one space. */
export const closedPhrases: ReadonlyMap<string, readonly Reading[]> = phrasesOf([
  ...cueWords,
  ...meaningWords,
  ...askedWords,
]);

/** The length of the longest phrase, in words. */
export const CLOSED_LONGEST = Math.max(
  ...[...closedPhrases.keys()].map((phrase) => phrase.split(' ').length),
);

function phrasesOf(table: typeof askedWords): Map<string, Reading[]> {
  const phrases = new Map<string, Reading[]>();
  for (const [reading, list] of table) {
    for (const phrase of new Set(list.split('|')))
      phrases.set(phrase, [...(phrases.get(phrase) ?? []), reading]);
  }
  return withFunctions(withoutArticles(phrases));
}

/**
 * Leaves out a phrase such as "the factor" if "factor" is a phrase too, because "the factor" would hide the longer
 * phrase "factor run".
 */
function withoutArticles(phrases: Map<string, Reading[]>): Map<string, Reading[]> {
  return new Map(
    [...phrases].filter(
      ([phrase]) => !/^(the|a) /.test(phrase) || !phrases.has(phrase.replace(/^(the|a) /, '')),
    ),
  );
}

/** Whether a phrase has to stay whole: its words alone would lose its meaning, as in "share of" and "how come". */
export function isWhole(readings: readonly Reading[]): boolean {
  return readings.some(({ slot, ...rest }) =>
    slot === 'cue' ? 'cue' in rest && STRONG.has(rest.cue) : !/^(noun|function|when|statistic)$/.test(slot),
  );
}

/** Adds the reading `function` (no meaning of its own) to each neutral phrase whose words all have this reading. */
function withFunctions(phrases: Map<string, Reading[]>): Map<string, Reading[]> {
  const isFunction = (word: string): boolean =>
    phrases.get(word)?.some(({ slot }) => slot === 'function') ?? false;
  for (const [phrase, readings] of phrases) {
    const words = phrase.split(' ');
    const isNeutral = readings.every((each) => each.slot === 'cue' && NEUTRAL.has(each.cue));
    if (isNeutral && words.length > 1 && words.every(isFunction) && !isFunction(phrase))
      phrases.set(phrase, [...readings, { slot: 'function' }]);
  }
  return phrases;
}
