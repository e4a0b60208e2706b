/**
 * Up to which moment, and which revisions of which datasets, a question about the past may know: what was there when it
 * was first asked. The same question with the same knowledge has the same answer for ever.
 */
export type Knowledge = {
  /** ISO 8601, UTC. */
  at: string;
  /** Last revision of each dataset that counts, by dataset id. A dataset that is not named counts with nothing. */
  revisions: Readonly<Record<string, number>>;
};
