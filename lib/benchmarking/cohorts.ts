import type { CohortMembers } from './disclosure.ts';

/** The version of the cohorts and of the disclosure rules. A change of either needs a new version. */
export const METHOD_VERSION = 'svc.benchmark/2';

/** The largest number of regions that have their own cohort. */
const REGIONS_MAX = 50;

export const sizeBands = ['small', 'medium', 'large'] as const;
export type SizeBand = (typeof sizeBands)[number];

/** The largest number of finished runs in a month for the bands `small` and `medium`. */
const SMALL_RUNS_MAX = 99;
const MEDIUM_RUNS_MAX = 9_999;

/** Returns the size band of a workspace, from the number of its runs that ended in the month. */
export function sizeBandOf(runs: number): SizeBand {
  if (runs <= SMALL_RUNS_MAX) return 'small';
  return runs <= MEDIUM_RUNS_MAX ? 'medium' : 'large';
}

/** The facts that determine the cohorts of a workspace. */
export type Placement = {
  workspace: string;
  group: string;
  serviceClass: string;
  region: string;
  sizeBand: SizeBand;
};

/**
 * Returns the cohorts of a metric and period: all contributors, and those of one service class, size band or region.
 * The cohorts of a group are those of its first workspace by uid, so that a cohort contains either all workspaces of a
 * group or none.
 */
export function cohortsOf(
  placements: readonly Placement[],
  serviceClasses: readonly string[],
): CohortMembers[] {
  const groups = Map.groupBy(placements.toSorted(byWorkspace), ({ group }) => group);
  const placed = [...groups.values()].flatMap((all) =>
    all.map(({ workspace }) => ({ ...all[0]!, workspace })),
  );
  const regions = [...new Set(placed.map(({ region }) => regionKey(region)))].sort().slice(0, REGIONS_MAX);
  const cohort = (key: string, isIn: (each: Placement) => boolean): CohortMembers => ({
    key,
    members: new Set(placed.filter(isIn).map(({ workspace }) => workspace)),
  });
  return [
    cohort('all', () => true),
    ...serviceClasses.map((name) => cohort(`service_class:${name}`, (each) => each.serviceClass === name)),
    ...sizeBands.map((name) => cohort(`size:${name}`, (each) => each.sizeBand === name)),
    ...regions.map((name) => cohort(`region:${name}`, (each) => regionKey(each.region) === name)),
  ];
}

/** The pattern of a cohort's key. */
export const COHORT_PATTERN =
  '^(all|service_class:(developer|standard|enterprise)|size:(small|medium|large)|region:[a-z0-9-]{1,63})$';

/** Returns the definition of a cohort, for readers. */
export function definitionOf(key: string): string {
  const [kind, name = ''] = key.split(':');
  if (kind === 'service_class') return `Contributors of the service class ${name}.`;
  if (kind === 'region') return `Contributors whose data is stored in the region ${name}.`;
  if (kind === 'all') return 'All contributors.';
  const runs = {
    small: `at most ${SMALL_RUNS_MAX}`,
    medium: `${SMALL_RUNS_MAX + 1} to ${MEDIUM_RUNS_MAX}`,
    large: `at least ${MEDIUM_RUNS_MAX + 1}`,
  }[name as SizeBand];
  return `Contributors with ${runs} runs that ended in the month.`;
}

/** Returns the name of a region in the key of its cohort. */
function regionKey(region: string): string {
  return region
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, 63);
}

function byWorkspace(one: Placement, other: Placement): number {
  return one.workspace < other.workspace ? -1 : one.workspace > other.workspace ? 1 : 0;
}
