import { definitionOf } from './cohorts.ts';
import { positionOf } from './comparison.ts';
import type { FoundComparison } from './comparison.query.ts';
import { metrics } from './metrics.ts';

/** Returns a comparison in its published form. A workspace that did not contribute reads no figures of the cell. */
export function presentComparison(found: FoundComparison) {
  const { own, currency, suppressionReason } = found;
  const isContributing = own !== null;
  const distribution = isContributing ? found.distribution : null;
  return {
    uid: found.uid,
    metric: found.metric,
    unit: metrics[found.metric].unit,
    currency,
    period: found.period,
    cohort: {
      key: found.cohort,
      definition: definitionOf(found.cohort),
      contributors_at_least: isContributing ? found.contributorsAtLeast : null,
      method_version: found.methodVersion,
    },
    status: isContributing ? ('contributing' as const) : ('not_contributing' as const),
    own: { value: own, position: own === null ? null : positionOf(own, distribution) },
    distribution,
    pooled: isContributing ? found.pooled : null,
    suppressed: suppressionReason !== null,
    suppression_reason: suppressionReason,
    as_of: found.asOf,
    cell_hash: found.cellHash,
  };
}
