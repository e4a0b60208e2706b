import { canonicalHash } from '#lib/core/seal.ts';
import { experimentSeries } from '#lib/research/experiment.ts';
import { featureFinding } from '#lib/research/experiment-result.ts';
import type { ComputationOf } from '../process/runner.ts';
import type runner from './research-runs.ts';

export const compute: ComputationOf<typeof runner> = (input, data, control) => {
  const { columns, dates } = data;
  const { target, minimum_entities: minimumEntities, quantiles } = input;
  const observed = dates.map(({ targets }) => targets.map(countOf));
  const max = Math.max(...observed.flat());
  if (max < minimumEntities) {
    const detail = `No date has more than ${max} entities with the target ${target.feature}. At least ${minimumEntities} are required.`;
    return {
      ok: false,
      refusal: { code: 'target_unobserved', detail, members: { observed: max, needed: minimumEntities } },
    };
  }
  const { features, correlations } = experimentSeries(dates, { quantiles, minimumEntities }, control);
  return {
    ok: true,
    output: {
      input_data: {
        targets_sha256: canonicalHash(dates.map(({ targets }) => targets.map(withNull))),
      },
      result: {
        dates: dates.map(({ entities }, at) => ({
          as_of_date: input.snapshots[at]!.as_of_date,
          entities: entities.length,
          targets: observed[at]!,
        })),
        features: features.map((series, at) => featureFinding(columns[at]!, series, input)),
        correlations,
      },
    },
    attachments: {
      series: features.map(({ horizons, turnover }, at) => ({
        feature: columns[at]!.feature,
        horizons: horizons.map((horizon, place) => ({
          horizon_months: target.horizons_months[place]!,
          ...horizon,
        })),
        turnover,
      })),
    },
  };
};

function countOf(values: Float64Array): number {
  return values.length - values.filter(Number.isNaN).length;
}

function withNull(values: Float64Array): (number | null)[] {
  return Array.from(values, (value) => (Number.isNaN(value) ? null : value));
}
