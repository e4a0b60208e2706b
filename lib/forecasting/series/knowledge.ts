/**
 * The knowledge that a question about the past may use, fixed when it was first submitted: a moment, and a revision of
 * each
 * dataset. The same question with the same knowledge always has the same answer.
 */
export type Knowledge = {
  /** ISO 8601, UTC. */
  at: string;
  /** Last revision of each dataset to use, by dataset id. Datasets that are absent are not used. */
  revisions: Readonly<Record<string, number>>;
};
