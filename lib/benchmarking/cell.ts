import { canonicalHash } from '#lib/core/seal.ts';
import { cohortsOf, METHOD_VERSION, type SizeBand } from './cohorts.ts';
import {
  discloseCells,
  roundedFigure,
  type Cell,
  type Contribution,
  type Distribution,
} from './disclosure.ts';
import { parseExact } from './exact.ts';
import { publishedOf, withholdChanges, type Figure, type Figures } from './months.ts';

/** A stored contribution. Value and weight are decimal texts. */
export type StoredContribution = {
  workspace: string;
  metric: string;
  currency: string | null;
  group: string;
  serviceClass: string;
  region: string;
  sizeBand: SizeBand;
  value: string;
  weight: string;
};

/** The part of a cell that every reader sees. The hash covers exactly these members. */
export type PublishedCell = {
  metric: string;
  currency: string | null;
  period: string;
  cohort: string;
  method_version: string;
  contributors_at_least: number | null;
  distribution: Distribution | null;
  pooled: string | null;
  suppression_reason: 'confidential' | 'no_data' | null;
};

/** A cell to store: its published part with its hash, and the part that only operators read. */
export type NewCell = {
  published: PublishedCell;
  hash: string;
  basis: Pick<Cell, 'groups' | 'reason' | 'pooledReason'>;
};

/** A metric, and its currency if the metric is in money. */
export type Subject = { metric: string; currency: string | null };

type CellTerms = {
  period: string;
  pPercent: string | null;
  serviceClasses: readonly string[];
  /** The published cells of the metric in earlier months, with their contributions. Default: none. */
  earlier?: readonly EarlierMonth[];
};

/** The published cells of a month with their groups, and the contributions behind them. */
export type EarlierMonth = {
  cells: readonly { cohort: string; groups: readonly string[] }[];
  contributions: readonly Pick<StoredContribution, 'workspace' | 'group' | 'value' | 'weight'>[];
};

/** Computes the cells of one metric and period from the contributions of all workspaces. */
export function cellsOf(
  { metric, currency }: Subject,
  contributions: readonly StoredContribution[],
  { period, pPercent, serviceClasses, earlier = [] }: CellTerms,
): NewCell[] {
  const own = contributions.filter((each) => each.metric === metric && each.currency === currency);
  const disclosed = discloseCells({
    contributions: own.map(contributionOf),
    cohorts: cohortsOf(own, serviceClasses),
    pPercent: pPercent === null ? null : exact(pPercent),
  });
  const months = earlier.map((month) => {
    const published = month.cells.map((cell) => ({ ...cell, reason: null }));
    return publishedOf(published, figuresOf(month.contributions));
  });
  const cells = withholdChanges(disclosed, figuresOf(own), months);
  return cells.map(({ cohort, groups, reason, pooledReason, contributorsAtLeast, distribution, pooled }) => {
    const published: PublishedCell = {
      metric,
      currency,
      period,
      cohort,
      method_version: METHOD_VERSION,
      contributors_at_least: contributorsAtLeast,
      distribution,
      pooled,
      suppression_reason: reason === null || reason === 'no_data' ? reason : 'confidential',
    };
    return { published, hash: canonicalHash(published), basis: { groups, reason, pooledReason } };
  });
}

/** Returns the figure of each group. A figure is rounded when it is first needed. */
function figuresOf(contributions: EarlierMonth['contributions']): Figures {
  return new Map(
    [...Map.groupBy(contributions, ({ group }) => group)].map(([group, all]): [string, Figure] => {
      let known: string | undefined;
      const rounded = () => (known ??= roundedFigure(all.map(contributionOf)));
      return [group, { stored: all.map(({ value, weight }) => `${value} ${weight}`).join(), rounded }];
    }),
  );
}

function contributionOf({
  workspace,
  group,
  value,
  weight,
}: EarlierMonth['contributions'][number]): Contribution {
  return { workspace, group, value: exact(value), weight: exact(weight) };
}

function exact(text: string) {
  const value = parseExact(text);
  if (!value) throw new Error('a stored figure of a benchmark is not a decimal');
  return value;
}
