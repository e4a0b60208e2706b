import type { Amount } from '../runner/files.ts';

/** The amount of tests to run, which the runner passes to each process. Without the runner it is `usual`. */
export const amount = (process.env['TEST_AMOUNT'] ?? 'usual') as Amount;

/** Whether more than `npm test` is run, in which case exhaustive tests visit everything. */
export const isExhaustive = amount !== 'usual';

/** Returns the number for the amount that is run. */
export const times = (numbers: Readonly<Record<Amount, number>>): number => numbers[amount];

/**
 * Returns the step between the cases to run: the given step in `npm test`, so that every n-th case is run,
 * and otherwise 1, so that all are run.
 */
export const strideOf = (usual: number): number => (isExhaustive ? 1 : usual);

/**
 * Selects cases that the same code decides for every operation. `npm test` takes a few cases per operation,
 * in rotation, so that every case occurs for some operation. The larger amounts take all cases.
 */
export function inTurn<T>(cases: readonly T[], turn: number, few = 2): T[] {
  if (isExhaustive || cases.length <= few) return [...cases];
  return Array.from({ length: few }, (_, at) => cases[(turn * few + at) % cases.length]!);
}

/**
 * How often each time-consuming check is repeated. `npm test` repeats it often enough to find a fault that
 * one case in ten shows. `npm run test:full` finds rarer faults. A failing property prints its seed.
 */
export const repetitions = {
  /** Grants of authority under other authorities, against a comparison of their parts. */
  grants: times({ usual: 300, full: 3_000, all: 30_000 }),
  /** Small sets of authorities, against a search from the ceiling. */
  chains: times({ usual: 500, full: 5_000, all: 50_000 }),
  /** Delegations in memory: sequences of up to forty calls. */
  delegationCalls: times({ usual: 150, full: 1_500, all: 15_000 }),
  /** Rules of delegations in memory: graphs, sides, votes, budgets, windows. */
  delegationRules: times({ usual: 300, full: 5_000, all: 50_000 }),
  /** Cases for rules with a defect. */
  mutantCases: times({ usual: 250, full: 700, all: 2_000 }),
  /** Sequences of calls for rules with a defect. */
  mutantCalls: times({ usual: 50, full: 700, all: 2_000 }),
  /** Histories of governed records by several persons. */
  governedHistories: times({ usual: 300, full: 2_000, all: 20_000 }),
  /** Observations of custody about an order batch, in memory. */
  reconciliations: times({ usual: 300, full: 2_000, all: 20_000 }),
  /** Sets of policies and inputs, each against an equivalent form of itself. */
  policies: times({ usual: 100, full: 1_000, all: 10_000 }),
  /** Sets of policies and inputs, against a naive evaluator. */
  policyDecisions: times({ usual: 400, full: 5_000, all: 50_000 }),
  /** Recurrences of schedules; each may skip a thousand missed times. */
  recurrences: times({ usual: 8, full: 200, all: 2_000 }),
  /** Histories of observations, materialised as features and computed naively at each moment. */
  toldFeatures: times({ usual: 30, full: 300, all: 3_000 }),
  /** Comparisons of twenty columns without drift. */
  drifts: times({ usual: 20, full: 300, all: 1_000 }),
  /** Texts, amounts and numbers that are written and read back. */
  roundTrips: times({ usual: 400, full: 2_000, all: 20_000 }),
  /** Points of a function, against arithmetic with hundreds of digits. */
  exactPoints: times({ usual: 60, full: 1_000, all: 10_000 }),
  /** Arrays of numbers, against sorting or comparing all of them. */
  arrays: times({ usual: 25, full: 150, all: 1_500 }),
  /** Arrays of thousands of numbers, against sorting them. */
  largeArrays: times({ usual: 5, full: 20, all: 200 }),
  /** Series of arbitrary values, forecast by every method. */
  forecasts: times({ usual: 15, full: 60, all: 600 }),
  /**
   * Numbers drawn from a distribution, at a fixed seed, against its moments; the bounds widen with fewer
   * numbers.
   */
  draws: times({ usual: 20_000, full: 100_000, all: 1_000_000 }),
  /** Files of prices that are imported one after the other, in the service, against a replay of them. */
  imports: times({ usual: 6, full: 40, all: 200 }),
  /** Histories of values, joined in the database as of several days. */
  featureJoins: times({ usual: 8, full: 40, all: 200 }),
  /** Histories of files, materialised as features step by step and at once in the database. */
  materialisations: times({ usual: 4, full: 20, all: 100 }),
  /** Sequences of events of an order batch in the service. */
  executions: times({ usual: 4, full: 10, all: 100 }),
  /** Histories of postings in the service, against a replay in memory. */
  ledgers: times({ usual: 3, full: 8, all: 80 }),
} as const;
