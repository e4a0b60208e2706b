import Type, { type Static } from 'typebox';
import { Closed, InstantOf } from '#lib/core/schema.ts';
import { ORDERS_MAX, Word } from './batch-file.ts';

/**
 * Order batches of an earlier system, in the import format of the operator. Such a batch has no effect until
 * the import of a new order batch names it as its predecessor.
 */
export const LegacyFile = Closed({
  source_system: Word('The source system.', 'oms_v1'),
  batches: Type.Array(
    Closed({
      legacy_reference: Word('The reference of the batch in the source system.', 'L-100'),
      portfolio_uid: Word('The portfolio of the batch.', 'prt_global_equity'),
      created_at: InstantOf('The time of creation in the source system.'),
      status: Word('The state of the batch, in the words of the source system.', 'open'),
      order_count: Type.Integer({ minimum: 0, maximum: 1_000_000 }),
    }),
    { minItems: 1, maxItems: 10_000 },
  ),
});
export type LegacyFile = Static<typeof LegacyFile>;

export const eligibilityRules = ['has_orders', 'fits_a_batch', 'not_ended', 'not_linked'] as const;
export type EligibilityRule = (typeof eligibilityRules)[number];

const ENDED = new Set(['closed', 'cancelled', 'rejected', 'settled']);

/**
 * Returns the result of each eligibility rule for a batch of an earlier system. A new order batch can
 * continue the earlier batch if all rules are met.
 */
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
