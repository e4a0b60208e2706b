/** Some whole lines of a file, without their ends. */
export type LineBlock = {
  /** Number of the first of them, counted from 1. */
  firstLine: number;
  lines: string[];
  /** Those, by their place in `lines`, that are not valid UTF-8. */
  undecodable: ReadonlySet<number>;
  /** Whether they come from columns of types, and not from a text that somebody wrote. */
  isTyped?: true;
};

export type ReadProgress = { bytesRead: number; bytesTotal: number };
