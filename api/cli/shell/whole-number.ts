import { Option } from 'commander';
import { Refusal } from '#lib/core/refusal.ts';

/** Parses the value of an option as a whole number within the given bounds. */
export function wholeNumber(option: string, text: string, [min, max]: readonly [number, number]): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < min || value > max)
    throw new Refusal('number_invalid', `${option} takes a whole number from ${min} to ${max}`);
  return value;
}

/** Returns the option for the version of a model. The default is the newest version. */
export function versionOption(): Option {
  return new Option('--version <n>', 'the version (default: the newest)').argParser((text) =>
    wholeNumber('--version', text, [1, 2 ** 31 - 1]),
  );
}
