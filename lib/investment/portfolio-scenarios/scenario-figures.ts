import { compareText } from '#lib/core/compare-text.ts';
import type { Exposure } from './exposure-mapping.ts';
import type { LevelContributions } from './position-contributions.ts';
import type { ScenarioHolding } from './scenario-input.ts';

type Mapped = { holding: ScenarioHolding; exposure: Exposure };

/** Figures of a position or a group, in minor units. */
type Figures = {
  value_minor: number;
  mean_minor: number | null;
  levels: { level: number; value_at_risk_minor: number | null; expected_shortfall_minor: number | null }[];
};

/** Returns the figures of each position with an exposure, in the order of the positions. */
export function positionFigures(
  mapped: readonly Mapped[],
  { contributions, means }: { contributions: readonly LevelContributions[]; means: readonly number[] | null },
) {
  return mapped.map(({ holding, exposure }, at) => ({
    symbol: holding.symbol,
    mapping: exposure.kind,
    value_minor: Number(holding.valueMinor!),
    mean_minor: means?.[at] ?? null,
    levels: levelsAt(contributions, at),
  }));
}

/**
 * Returns the figures of each factor. The last entry, whose `factor` is null, has the figures of the specific returns
 * of the positions.
 */
export function factorFigures(factors: readonly string[], contributions: readonly LevelContributions[]) {
  return [...factors, null].map((factor, at) => ({ factor, levels: levelsAt(contributions, at) }));
}

function levelsAt(contributions: readonly LevelContributions[], at: number): Figures['levels'] {
  return contributions.map(({ level, valueAtRisk, expectedShortfall }) => ({
    level,
    value_at_risk_minor: valueAtRisk?.[at] ?? null,
    expected_shortfall_minor: expectedShortfall?.[at] ?? null,
  }));
}

/**
 * Returns the figures of each group, which are the sums of the figures of its positions. Groups are in
 * code-unit order. The last entry, whose `group` is null, has the figures of the positions without a group.
 */
export function groupFigures(mapped: readonly Mapped[], rows: readonly Figures[]) {
  const groups = new Map<string | null, Figures>();
  for (const [at, { holding }] of mapped.entries()) {
    const before = groups.get(holding.group);
    groups.set(holding.group, before ? added(before, rows[at]!) : rows[at]!);
  }
  return [...groups.entries()]
    .sort(([one], [other]) => (one === null ? 1 : other === null ? -1 : compareText(one, other)))
    .map(([group, { value_minor, mean_minor, levels }]) => ({ group, value_minor, mean_minor, levels }));
}

function added(one: Figures, other: Figures): Figures {
  return {
    value_minor: one.value_minor + other.value_minor,
    mean_minor: sum(one.mean_minor, other.mean_minor),
    levels: one.levels.map((each, at) => ({
      level: each.level,
      value_at_risk_minor: sum(each.value_at_risk_minor, other.levels[at]!.value_at_risk_minor),
      expected_shortfall_minor: sum(
        each.expected_shortfall_minor,
        other.levels[at]!.expected_shortfall_minor,
      ),
    })),
  };
}

function sum(one: number | null, other: number | null): number | null {
  return one === null || other === null ? null : one + other;
}
