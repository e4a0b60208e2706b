const WORDS = /YYYY|MM|DD|M|D/g;

/** Converts a day in a given format to YYYY-MM-DD; `undefined` if the text does not match the format. */
export type DateReader = (text: string) => string | undefined;

/** Whether a format contains year, month and day exactly once. `M` and `D` have no leading zero. */
export function isDateFormat(format: string): boolean {
  const words = (format.match(WORDS) ?? []).map((word) => word[0]).toSorted();
  return words.join('') === 'DMY' && !/[A-Za-z0-9]/.test(format.replace(WORDS, ''));
}

/** Creates a reader for a format. Example: `dateReader('D.M.YYYY')('3.2.2020')` is `2020-02-03`. */
export function dateReader(format: string): DateReader {
  const pattern = format
    .split(/(YYYY|MM|DD|M|D)/)
    .map((part) => groups[part] ?? part.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&'))
    .join('');
  const day = new RegExp(`^${pattern}$`);
  return (text) => {
    const found = day.exec(text)?.groups;
    return found && `${found['Y']}-${found['M']!.padStart(2, '0')}-${found['D']!.padStart(2, '0')}`;
  };
}

const groups: Record<string, string> = {
  YYYY: '(?<Y>\\d{4})',
  MM: '(?<M>\\d{2})',
  DD: '(?<D>\\d{2})',
  M: '(?<M>\\d{1,2})',
  D: '(?<D>\\d{1,2})',
};
