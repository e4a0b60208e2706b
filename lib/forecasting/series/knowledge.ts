/**
 * The state of knowledge that a request about the past may use: a moment, and a revision of each dataset. The
 * state is fixed when the request is first submitted. The same request with the same state of knowledge
 * always has the same result.
 */
export type Knowledge = {
  /** The moment, ISO 8601 in UTC. Only data known at this moment is used. */
  at: string;
  /** Last revision of each dataset to use, by dataset id. Datasets that are absent are not used. */
  revisions: Readonly<Record<string, number>>;
};
