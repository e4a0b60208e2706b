import Type, { type Static } from 'typebox';
import { Closed, InstantOf } from '#lib/core/schema.ts';
import { ORDERS_MAX, Word } from './batch-file.ts';

/** Order batches of an earlier system, as the operator brings them. They are candidates, and linked by nobody's listing. */
export const LegacyFile = Closed({
  source_system: Word('The system that they come from.', 'oms_v1'),
  batches: Type.Array(
    Closed({
      legacy_reference: Word('What the batch is called there.', 'L-100'),
      portfolio_uid: Word('Its portfolio.', 'prt_global_equity'),
      created_at: InstantOf('When it was made there.'),
      status: Word('The word of the source for its state.', 'open'),
      order_count: Type.Integer({ minimum: 0, maximum: 1_000_000 }),
    }),
    { minItems: 1, maxItems: 10_000 },
  ),
});
export type LegacyFile = Static<typeof LegacyFile>;

export const eligibilityRules = ['has_orders', 'fits_a_batch', 'not_ended', 'not_linked'] as const;
export type EligibilityRule = (typeof eligibilityRules)[number];

const ENDED = new Set(['closed', 'cancelled', 'rejected', 'settled']);

/** Which rules an old batch keeps; it is a candidate when it keeps them all. */
export function eligibilityOf(legacy: {
  orderCount: number;
  status: string;
  isLinked: boolean;
}): { rule: EligibilityRule; ok: boolean }[] {
  const kept: Record<EligibilityRule, boolean> = {
    has_orders: legacy.orderCount > 0,
    fits_a_batch: legacy.orderCount <= ORDERS_MAX,
    not_ended: !ENDED.has(legacy.status.toLowerCase()),
    not_linked: !legacy.isLinked,
  };
  return eligibilityRules.map((rule) => ({ rule, ok: kept[rule] }));
}
