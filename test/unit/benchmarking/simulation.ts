import { cohortsOf, type Placement } from '#lib/benchmarking/cohorts.ts';
import { discloseCells, roundedFigure, type Cell, type Contribution } from '#lib/benchmarking/disclosure.ts';
import { publishedOf, withholdChanges, type Figure, type MonthCell } from '#lib/benchmarking/months.ts';
import { serviceClasses } from '#lib/database/base.ts';

/** The cells of a month. `published` are those that readers see, with the figures of their groups. */
export type Month = { month: number; cells: Cell[]; published: MonthCell[]; contributors: number };

/** Returns a function that returns numbers in [0, 1) of a Lehmer generator (Park and Miller, 1988). */
export function generator(seed: number): () => number {
  let state = seed;
  return () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
}

/**
 * Simulates the benchmark cells of a metric: workspaces of several regions, classes, sizes and groups join and leave
 * every month, and some months lack the figures of some workspaces. A workspace keeps its figure of the previous month
 * with the probability `persistence`.
 */
export function simulate(options: {
  seed: number;
  workspaces: number;
  months: number;
  withholdsCombinations?: boolean;
  persistence?: number;
  comparesMonths?: boolean;
}): Month[] {
  const { seed, workspaces, months, persistence = 0, comparesMonths = true, ...rules } = options;
  const next = generator(seed);
  const choose = <T>(of: readonly T[], bias = 1): T => of[Math.floor(next() ** bias * of.length)]!;
  const regions = ['eu-west', 'us-east', 'ap-south', 'local', 'sa-east'];
  const placements: Placement[] = Array.from({ length: workspaces }, (_, at) => {
    const region = choose(regions, 1.5);
    // Most enterprise workspaces lie in one region, so that cohorts of two classifications nearly coincide.
    const serviceClass = region === 'sa-east' && next() < 0.9 ? 'enterprise' : choose(serviceClasses, 2);
    return {
      workspace: `w${String(at).padStart(3, '0')}`,
      group: next() < 0.15 ? `holding${Math.floor(next() * 12)}` : `w${at}`,
      serviceClass,
      region,
      sizeBand: choose(['small', 'medium', 'large'] as const, 2),
    };
  });
  const joined = placements.map(() => next() < 0.15);
  const kept = new Map<string, Contribution>();
  const earlier: MonthCell[][] = [];
  return Array.from({ length: months }, (_, month) => {
    for (const at of joined.keys()) if (next() < (joined[at] ? 0.06 : 0.05)) joined[at] = !joined[at];
    const inside = placements.filter((_each, at) => joined[at] && next() < 0.9);
    const contributions = inside.map(({ workspace, group }): Contribution => {
      const before = persistence > 0 && next() < persistence ? kept.get(workspace) : undefined;
      if (before) return before;
      const made = {
        workspace,
        group,
        value: { numerator: BigInt(Math.floor(next() * 10_000)), denominator: 10_000n },
        weight: { numerator: BigInt(1 + Math.floor(next() * 500)), denominator: 1n },
      };
      kept.set(workspace, made);
      return made;
    });
    const disclosed = discloseCells({
      contributions,
      cohorts: cohortsOf(inside, serviceClasses),
      pPercent: { numerator: 10n, denominator: 1n },
      ...rules,
    });
    const figures = new Map(
      [...Map.groupBy(contributions, ({ group }) => group)].map(([group, all]): [string, Figure] => {
        const stored = roundedFigure(all);
        return [group, { stored, rounded: () => stored }];
      }),
    );
    const cells = withholdChanges(disclosed, figures, comparesMonths ? earlier : []);
    const published = publishedOf(cells, figures);
    earlier.push(published);
    return { month, cells, published, contributors: inside.length };
  });
}
