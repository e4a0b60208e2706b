/** The frequencies of observation. */
export const economicFrequencies = [
  'daily',
  'weekly',
  'biweekly',
  'monthly',
  'quarterly',
  'semiannual',
  'yearly',
] as const;
export type EconomicFrequency = (typeof economicFrequencies)[number];

/** Other names of the frequencies: the long and the short names that FRED uses. */
const words: Readonly<Record<string, EconomicFrequency>> = {
  d: 'daily',
  w: 'weekly',
  bw: 'biweekly',
  m: 'monthly',
  q: 'quarterly',
  sa: 'semiannual',
  a: 'yearly',
  annual: 'yearly',
};

/**
 * Reads a frequency in any case. Returns `undefined` for an unknown word. FRED's `Weekly, Ending Friday` is
 * weekly.
 */
export function readFrequency(text: string): EconomicFrequency | undefined {
  const word = text.split(',')[0]!.trim().toLowerCase();
  return (
    economicFrequencies.find((each) => each === word) ??
    (Object.hasOwn(words, word) ? words[word] : undefined)
  );
}
