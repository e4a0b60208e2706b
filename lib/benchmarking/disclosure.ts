import type { Fraction } from '#lib/core/decimal.ts';
import { withholdCombinations } from './combinations.ts';
import { withholdDifferences, type Candidate } from './differences.ts';
import { compareExact, divideExact, multiplyExact, significantText, sumExact } from './exact.ts';
import { memberSets } from './members.ts';

/**
 * The smallest number of groups in a published cell. Each contributor then reads the figures of at least five others.
 */
export const GROUPS_LEAST = 6;
/** The smallest number of groups on the shorter side of a quantile. */
const OUTSIDE_LEAST = 3;
const DIGITS = 3;

export const quantiles = ['p10', 'p25', 'p50', 'p75', 'p90'] as const;
export type Quantile = (typeof quantiles)[number];
export type Distribution = Record<Quantile, string | null>;

const percents: Record<Quantile, number> = { p10: 10, p25: 25, p50: 50, p75: 75, p90: 90 };

/** A workspace's figure for a metric and period. Workspaces of one group count as one contributor. */
export type Contribution = { workspace: string; group: string; value: Fraction; weight: Fraction };

export type CohortMembers = { key: string; members: ReadonlySet<string> };

/** The reasons for withholding a cell. Only operators read them, because the reason is information about members. */
export type WithholdReason =
  | 'no_data'
  | 'frequency'
  | 'homogeneous'
  | 'differencing'
  | 'combination'
  | 'months';
export type PooledReason = 'no_weight' | 'concentration' | 'parameter_missing';

/** A cell: the figures of one cohort for a metric and period. */
export type Cell = {
  cohort: string;
  groups: readonly string[];
  reason: WithholdReason | null;
  /** The number of groups, rounded down to 5, 10, 20, 50, 100, ...; null if the cell is withheld. */
  contributorsAtLeast: number | null;
  distribution: Distribution | null;
  pooled: string | null;
  pooledReason: PooledReason | null;
};

export type DisclosureInput = {
  contributions: readonly Contribution[];
  cohorts: readonly CohortMembers[];
  /** The cells of the same metric and period that are already published, with their groups. */
  published?: readonly { key: string; groups: readonly string[] }[];
  /** The secret parameter of the p % rule, in percent. Without it, no pooled figure is published. */
  pPercent: Fraction | null;
  /** Whether the rule about linear combinations of cells applies too. Default: yes. */
  withholdsCombinations?: boolean;
};

/**
 * Applies the disclosure rules to the cohorts of a metric and period, in this order: number of groups, equal values,
 * support of each quantile, p % rule for the pooled figure, differences of cells, linear combinations of cells.
 * Returns the cells in the order of the cohorts. Source of the rules: Hundepool et al., Statistical Disclosure Control
 * (2012), chapters 4 and 5; Castro, Minimum-distance methods for tabular data (2006).
 */
export function discloseCells(input: DisclosureInput): Cell[] {
  const { contributions, cohorts, published = [], pPercent, withholdsCombinations = true } = input;
  const groups = cohorts.map(({ members }) => groupsOf(contributions, members));
  const cells = cohorts.map(({ key }, at) => cellOf(key, groups[at]!, pPercent));
  const open = cells.filter(({ reason }) => reason === null);
  const sets = memberSets([...open.map((cell) => cell.groups), ...published.map((cell) => cell.groups)]);
  const candidates: Candidate[] = [
    ...open.map(({ cohort: key }, at) => ({ key, members: sets[at]!, isPublished: false })),
    ...published.map(({ key }, at) => ({ key, members: sets[open.length + at]!, isPublished: true })),
  ];
  const apart = withholdDifferences(candidates);
  const left = withholdsCombinations ? withholdCombinations(apart) : apart;
  const namesOf = (all: readonly Candidate[]) =>
    new Set(all.filter(({ isPublished }) => !isPublished).map(({ key }) => key));
  const [differ, combine] = [namesOf(apart), namesOf(left)];
  return cells.map((cell) => {
    if (cell.reason !== null || combine.has(cell.cohort)) return cell;
    return withheld(cell.cohort, cell.groups, differ.has(cell.cohort) ? 'combination' : 'differencing');
  });
}

type GroupFigure = { group: string; value: Fraction; weight: Fraction };

/** Returns the figures of the groups of a cohort, in the order of their values, then of their names. */
function groupsOf(contributions: readonly Contribution[], members: ReadonlySet<string>): GroupFigure[] {
  const inside = contributions.filter(({ workspace }) => members.has(workspace));
  return [...Map.groupBy(inside, ({ group }) => group)]
    .map(([group, all]) => ({ group, value: meanOf(all), weight: sumExact(all.map(({ weight }) => weight)) }))
    .toSorted((one, other) => compareExact(one.value, other.value) || (one.group < other.group ? -1 : 1));
}

/** Returns the figure of a group, rounded like a published figure. */
export function roundedFigure(all: readonly Pick<Contribution, 'value' | 'weight'>[]): string {
  return significantText(meanOf(all), DIGITS);
}

/** Returns the weighted mean, or the plain mean if there is no weight. */
function meanOf(all: readonly { value: Fraction; weight: Fraction }[]): Fraction {
  const weight = sumExact(all.map((each) => each.weight));
  if (weight.numerator === 0n) {
    const count = { numerator: BigInt(all.length), denominator: 1n };
    return divideExact(sumExact(all.map(({ value }) => value)), count);
  }
  return divideExact(sumExact(all.map((each) => multiplyExact(each.value, each.weight))), weight);
}

function cellOf(cohort: string, figures: readonly GroupFigure[], pPercent: Fraction | null): Cell {
  const groups = figures.map(({ group }) => group);
  const n = figures.length;
  if (n === 0) return withheld(cohort, groups, 'no_data');
  if (n < GROUPS_LEAST) return withheld(cohort, groups, 'frequency');
  if (compareExact(figures[0]!.value, figures.at(-1)!.value) === 0)
    return withheld(cohort, groups, 'homogeneous');
  const distribution = Object.fromEntries(
    quantiles.map((name) => [name, quantileOf(figures, percents[name])]),
  ) as Distribution;
  const pooledReason = pooledFault(figures, pPercent);
  const pooled = pooledReason === null ? significantText(meanOf(figures), DIGITS) : null;
  return { cohort, groups, reason: null, contributorsAtLeast: bandOf(n), distribution, pooled, pooledReason };
}

/**
 * Returns a quantile: the mean of three adjacent values. The position of the middle value is (n - 1) q, rounded half to
 * even and clipped to the range from the second to the second last value. Null if fewer than three groups lie on the
 * shorter side.
 */
function quantileOf(figures: readonly GroupFigure[], percent: number): string | null {
  const n = figures.length;
  if (n * Math.min(percent, 100 - percent) < OUTSIDE_LEAST * 100) return null;
  const place = (n - 1) * percent;
  const [below, over] = [Math.floor(place / 100), place % 100];
  const rounded = over > 50 || (over === 50 && below % 2 === 1) ? below + 1 : below;
  const middle = Math.min(Math.max(rounded, 1), n - 2);
  const sum = sumExact(figures.slice(middle - 1, middle + 2).map(({ value }) => value));
  return significantText(divideExact(sum, { numerator: 3n, denominator: 1n }), DIGITS);
}

/**
 * Returns the reason to withhold the pooled figure. The p % rule: the weight of all groups but the two largest must be
 * at least p % of the weight of the largest. Otherwise, the second largest could estimate the largest too closely.
 */
function pooledFault(figures: readonly GroupFigure[], pPercent: Fraction | null): PooledReason | null {
  const weights = figures.map(({ weight }) => weight).toSorted((one, other) => compareExact(other, one));
  if (sumExact(weights).numerator === 0n) return 'no_weight';
  if (pPercent === null) return 'parameter_missing';
  const hundred = { numerator: 100n, denominator: 1n };
  const rest = multiplyExact(sumExact(weights.slice(2)), hundred);
  return compareExact(rest, multiplyExact(pPercent, weights[0]!)) < 0 ? 'concentration' : null;
}

/** Returns the largest of 5, 10, 20, 50, 100, 200, ... that is at most `n`. */
function bandOf(n: number): number {
  let band = 5;
  for (const factor of steps()) {
    if (band * factor > n) return band;
    band *= factor;
  }
  return band;
}

function* steps(): Generator<number> {
  for (;;) yield* [2, 2, 2.5];
}

/** Returns a cell without figures. */
export function withheld(cohort: string, groups: readonly string[], reason: WithholdReason): Cell {
  return {
    cohort,
    groups,
    reason,
    contributorsAtLeast: null,
    distribution: null,
    pooled: null,
    pooledReason: null,
  };
}
