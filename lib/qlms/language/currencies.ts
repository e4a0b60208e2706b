import { minorDigits } from '#lib/core/money.ts';

const WORDS: Readonly<Record<string, readonly string[]>> = {
  EUR: ['euro', 'euros', '€'],
  USD: ['dollar', 'dollars', 'us dollar', 'us dollars', 'u s dollars', '$', 'greenbacks'],
  GBP: ['pound', 'pounds', 'sterling', 'pounds sterling', '£', 'british pounds'],
  JPY: ['yen', 'japanese yen', '¥'],
  CHF: ['franc', 'francs', 'swiss francs', 'swiss franc'],
  SEK: ['swedish kronor', 'swedish krona'],
  NOK: ['norwegian kroner'],
  DKK: ['danish kroner'],
  PLN: ['zloty', 'zlotys'],
  INR: ['rupee', 'rupees'],
  CNY: ['yuan', 'renminbi'],
  CAD: ['canadian dollars', 'canadian dollar'],
  AUD: ['australian dollars', 'australian dollar'],
};

const byWord = new Map(Object.entries(WORDS).flatMap(([code, words]) => words.map((word) => [word, code])));

/** Returns the currency of a word or an upper-case code, or undefined. */
export function currencyOf(phrase: string, text: string): string | undefined {
  const named = byWord.get(phrase);
  if (named !== undefined) return named;
  if (text !== text.toUpperCase() && !/^(eur|usd|gbp|jpy|chf)$/.test(text)) return undefined;
  const code = text.toUpperCase();
  return minorDigits(code) === undefined ? undefined : code;
}
