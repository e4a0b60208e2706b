const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
] as const;

/** Returns a day such as `2020-09-30` in words: "30 September 2020". Another text stays as it is. */
export function dayWords(day: string): string {
  const [, year, month, number] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(day) ?? [];
  const name = MONTHS[Number(month) - 1];
  return name === undefined ? day : `${Number(number)} ${name} ${year}`;
}

/**
 * Returns the name of a period in words: `2020-09` as "September 2020", `2020-Q3` as "Q3 2020", a day as a date. Another
 * text stays as it is.
 */
export function periodWords(period: string): string {
  const [, year, quarter] = /^(\d{4})-(Q\d)$/.exec(period) ?? [];
  if (quarter !== undefined) return `${quarter} ${year}`;
  const [, inYear, month] = /^(\d{4})-(\d{2})$/.exec(period) ?? [];
  const name = MONTHS[Number(month) - 1];
  return name === undefined ? dayWords(period) : `${name} ${inYear}`;
}

/** Returns the words before a period: "on" before a day, "in version" before a version, otherwise "in". */
export function prepositionOf(period: string): 'on' | 'in version' | 'in' {
  if (/^\d{4}\.\d+$/.test(period)) return 'in version';
  return /^\d{4}-\d{2}-\d{2}$/.test(period) ? 'on' : 'in';
}
