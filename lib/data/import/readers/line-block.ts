/** A block of whole lines of a file, without line ends. */
export type LineBlock = {
  /** The number of the first line, starting at 1. */
  firstLine: number;
  lines: string[];
  /** The positions in `lines` of the lines that are not valid UTF-8. */
  undecodable: ReadonlySet<number>;
  /** Whether the lines come from typed columns and not from a text file. */
  isTyped?: true;
};

export type ReadProgress = { bytesRead: number; bytesTotal: number };
