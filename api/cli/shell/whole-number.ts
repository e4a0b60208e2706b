import { Option } from 'commander';
import { Refusal } from '#lib/core/refusal.ts';

/** A whole number that an option takes, within its bounds. */
export function wholeNumber(option: string, text: string, [min, max]: readonly [number, number]): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < min || value > max)
    throw new Refusal('number_invalid', `${option} takes a whole number from ${min} to ${max}`);
  return value;
}

/** Which version of a model; the newest where none is named. */
export function versionOption(): Option {
  return new Option('--version <n>', 'default: the newest').argParser((text) =>
    wholeNumber('--version', text, [1, 2 ** 31 - 1]),
  );
}
