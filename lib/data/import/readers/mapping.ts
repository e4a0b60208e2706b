/** The instructions to read a file with foreign column names. */
export type Mapping = {
  /** Assay's name for each column of the file; null to ignore a column. */
  columns: Readonly<Record<string, string | null>>;
  /** Values for columns that the file does not have, added to every row. */
  constants: Readonly<Record<string, string>>;
  /** The format of columns with days. Default: YYYY-MM-DD. */
  dateFormat?: string | undefined;
};

/** The mapping of a file that already has Assay's column names. */
export const NO_MAPPING: Mapping = { columns: {}, constants: {} };

/** Adds the values that command-line options state for all rows to a mapping. */
export function withConstants(
  mapping: Mapping,
  stated: Readonly<Record<string, string | undefined>>,
): Mapping {
  const given = Object.entries(stated).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return { ...mapping, constants: { ...mapping.constants, ...Object.fromEntries(given) } };
}
