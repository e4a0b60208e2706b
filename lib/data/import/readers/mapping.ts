/** How a file is to be read that is not written in our words. */
export type Mapping = {
  /** Our name for each of their columns; null for one to be left out. */
  columns: Readonly<Record<string, string | null>>;
  /** What every row has of a column that the file does not have. */
  constants: Readonly<Record<string, string>>;
  /** Of the columns of days. Default: YYYY-MM-DD. */
  dateFormat?: string | undefined;
};

/** Of a file that says all itself. */
export const NO_MAPPING: Mapping = { columns: {}, constants: {} };

/** Adds what the command states of every row. */
export function withConstants(
  mapping: Mapping,
  stated: Readonly<Record<string, string | undefined>>,
): Mapping {
  const given = Object.entries(stated).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return { ...mapping, constants: { ...mapping.constants, ...Object.fromEntries(given) } };
}
