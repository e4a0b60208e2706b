import { tournamentVerdicts } from '../tournament-verdict.ts';

/** Verdicts of live rounds: those of a tournament, and `too_few_rounds` below 20 scored rounds. */
export const liveVerdicts = [...tournamentVerdicts, 'too_few_rounds'] as const;
export type LiveVerdict = (typeof liveVerdicts)[number];

export type StandingRow = {
  entry: string;
  isBaseline: boolean;
  meanLoss: number;
  skill: number | null;
  /** Null below 20 scored rounds, as are the following members. */
  rank: number | null;
  isInSet: boolean | null;
  pHolm: number | null;
};

/** The comparison of the entries over the scored rounds. */
export type LiveStanding = {
  rounds: number;
  verdict: LiveVerdict;
  winner: string | null;
  leaders: string[];
  /** Entries by mean loss. */
  rows: StandingRow[];
  /** Entries without a loss in a scored round, with the first such round. */
  disqualified: { entry: string; round: number }[];
  /** SHA-256 of the RFC 8785 form of the losses of all rounds, computed before the ranks. */
  lossesSha256: string;
};
