/**
 * The state of knowledge that a question about the past may use: a moment, and a revision of each dataset. It is fixed
 * when the question is first submitted. The same question with the same knowledge always has the same answer.
 */
export type Knowledge = {
  /** The moment, ISO 8601 in UTC. Only data known by then is used. */
  at: string;
  /** Last revision of each dataset to use, by dataset id. Datasets that are absent are not used. */
  revisions: Readonly<Record<string, number>>;
};
