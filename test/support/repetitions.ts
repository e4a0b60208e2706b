import type { Amount } from '../runner/files.ts';

/**
 * The amount of tests to run, which the runner passes to each process. Without the runner the amount is
 * `usual`.
 */
export const amount = (process.env['TEST_AMOUNT'] ?? 'usual') as Amount;

/** Whether more tests than `npm test` are run. Exhaustive tests then visit every case. */
export const isExhaustive = amount !== 'usual';

/** Returns the number that belongs to the amount of tests that is run. */
export const times = (numbers: Readonly<Record<Amount, number>>): number => numbers[amount];

/**
 * Returns the stride of a list of cases. In `npm test` it is the given number n, so that only every n-th case
 * is run. Otherwise it is 1, so that all cases are run.
 */
export const strideOf = (usual: number): number => (isExhaustive ? 1 : usual);

/**
 * Selects some of several cases. For every operation, the same code handles these cases. `npm test` takes a few cases
 * for each operation. The selection rotates, so that every case is run for some operation. The larger amounts take all
 * cases.
 */
export function inTurn<T>(cases: readonly T[], turn: number, few = 2): T[] {
  if (isExhaustive || cases.length <= few) return [...cases];
  return Array.from({ length: few }, (_, at) => cases[(turn * few + at) % cases.length]!);
}

/**
 * The number of generated cases of each time-consuming check. `npm test` runs enough cases to find a fault
 * that one case in ten shows. `npm run test:full` finds rarer faults. A failing property prints its seed.
 */
export const repetitions = {
  /**
   * Pairs of authorities. The rules decide whether one authority may be granted under the other. The decision
   * is checked by comparing their limits one by one.
   */
  grants: times({ usual: 300, full: 3_000, all: 30_000 }),
  /**
   * Small sets of authorities. The decision of the rules is checked by a search that begins at the ceiling.
   */
  chains: times({ usual: 500, full: 5_000, all: 50_000 }),
  /** Sequences of up to forty calls on delegations in memory. */
  delegationCalls: times({ usual: 150, full: 1_500, all: 15_000 }),
  /**
   * Cases for each rule of delegations in memory: approval graphs, independence, votes, budgets and time
   * windows.
   */
  delegationRules: times({ usual: 300, full: 5_000, all: 50_000 }),
  /** Cases of each property, for each set of rules with a defect. */
  mutantCases: times({ usual: 250, full: 700, all: 2_000 }),
  /** Sequences of calls, for each set of rules with a defect. */
  mutantCalls: times({ usual: 50, full: 700, all: 2_000 }),
  /** Histories of governed records, with events by several persons. */
  governedHistories: times({ usual: 300, full: 2_000, all: 20_000 }),
  /** Lists of custody observations about an order batch, in memory. */
  reconciliations: times({ usual: 300, full: 2_000, all: 20_000 }),
  /** Sets of policies with inputs. Each set is compared with an equivalent set. */
  policies: times({ usual: 100, full: 1_000, all: 10_000 }),
  /** Sets of policies with inputs. Each decision is compared with the decision of a naive evaluator. */
  policyDecisions: times({ usual: 400, full: 5_000, all: 50_000 }),
  /** Recurrences of schedules. Each recurrence may skip a thousand missed times. */
  recurrences: times({ usual: 8, full: 200, all: 2_000 }),
  /**
   * Histories of observations. Each history is materialised as a feature, and is also computed naively at
   * each moment.
   */
  toldFeatures: times({ usual: 30, full: 300, all: 3_000 }),
  /** Pairs of samples without drift. Each sample has twenty columns. */
  drifts: times({ usual: 20, full: 300, all: 1_000 }),
  /** Texts, amounts and numbers that are written and read back. */
  roundTrips: times({ usual: 400, full: 2_000, all: 20_000 }),
  /** Points at which a function is compared with arithmetic of hundreds of digits. */
  exactPoints: times({ usual: 60, full: 1_000, all: 10_000 }),
  /** Arrays of numbers. The result for each array is compared with a naive computation. */
  arrays: times({ usual: 25, full: 150, all: 1_500 }),
  /** Arrays of thousands of numbers. The result for each array is compared with a naive sort. */
  largeArrays: times({ usual: 5, full: 20, all: 200 }),
  /** Series of arbitrary values, forecast by every method. */
  forecasts: times({ usual: 15, full: 60, all: 600 }),
  /**
   * Numbers drawn from a distribution at a fixed seed. Their moments are compared with the moments of the
   * distribution. With fewer numbers the bounds are wider.
   */
  draws: times({ usual: 20_000, full: 100_000, all: 1_000_000 }),
  /**
   * Sequences of price files that the service imports. The stored prices are compared with a replay in
   * memory.
   */
  imports: times({ usual: 6, full: 40, all: 200 }),
  /** Histories of values that the database joins as of several days. */
  featureJoins: times({ usual: 8, full: 40, all: 200 }),
  /**
   * Histories of imported files. Features are materialised after each file, and also once at the end, in the
   * database.
   */
  materialisations: times({ usual: 4, full: 20, all: 100 }),
  /** Sequences of events of an order batch in the service. */
  executions: times({ usual: 4, full: 10, all: 100 }),
  /** Histories of postings in the service. The balances are compared with a replay in memory. */
  ledgers: times({ usual: 3, full: 8, all: 80 }),
} as const;
