/**
 * Families of phrases that are made of the same parts. Each list is every combination of its parts, so that no
 * combination is missing by accident.
 */

const product = (...parts: readonly (readonly string[])[]): string[] =>
  parts.reduce<string[]>(
    (made, next) => made.flatMap((begun) => next.map((part) => [begun, part].filter(Boolean).join(' '))),
    [''],
  );

const AGAINST = [
  'against',
  'versus',
  'vs',
  'from',
  'over',
  'on',
  'than',
  'than in',
  'relative to',
  'compared with',
  'compared to',
  'in comparison with',
  'in comparison to',
  'as against',
];

/**
 * Returns phrases that name the base of a change: "Against the previous quarter", "compared with the same month a year
 * earlier".
 */
export function steppedBack(grain: 'year' | 'quarter' | 'month'): string[] {
  const own = product(
    AGAINST,
    ['the', 'a', 'one', ''],
    [
      ...product(['previous', 'prior', 'preceding'], [grain]),
      ...product([grain], ['before', 'earlier', 'prior', 'previously']),
    ],
  );
  if (grain !== 'year') return own;
  const same = product(
    ['the same', 'same'],
    ['month', 'quarter', 'period', 'time'],
    [
      'a year earlier',
      'a year before',
      'one year earlier',
      'one year before',
      'the year before',
      'of the previous year',
      'of the prior year',
      'the previous year',
      'last year',
    ],
  );
  return [...own, ...product(AGAINST, same)];
}

/** Phrases that precede an as-of day D: "On the information available at D", "using only the data known on D". */
export const knowledgePhrases: readonly string[] = product(
  ['on', 'with', 'using', 'given', 'based on', 'going by', 'judging by'],
  ['', 'only'],
  ['the', ''],
  ['information', 'data', 'knowledge', 'facts', 'figures', 'numbers'],
  [
    'available',
    'known',
    'held',
    'we had',
    'we held',
    'that was available',
    'that were available',
    'then available',
  ],
  ['on', 'at', 'by', 'as of', 'as at', 'to us on'],
);

/** "Revised since it was first reported": asks for the revisions of a value. */
export const changedSince: readonly string[] = product(
  ['', 'been'],
  ['restated', 'revised', 'changed', 'corrected', 'amended', 'updated'],
  ['since'],
  ['it was', 'they were', 'being', ''],
  ['first', 'initially', 'originally', ''],
  ['reported', 'published', 'released', 'stated'],
);

/** "Which topics can you help with": asks what a question model can answer. */
export const askedTopics: readonly string[] = product(
  ['what', 'which'],
  ['topics', 'subjects', 'areas', 'domains', 'fields', 'questions', 'kinds of questions', 'data', 'figures'],
  [
    'can you help with',
    'can you help me with',
    'can you help us with',
    'can you answer',
    'can you answer questions about',
    'can you cover',
    'can i ask about',
    'can i ask you about',
    'do you cover',
    'do you handle',
    'do you know about',
  ],
);
