import { newUid } from '#lib/core/id.ts';
import { prefixes } from '#lib/core/prefix.ts';
import type { Em, Tenant } from '#lib/database/base.ts';
import { defineCommand, personOf, type Circumstances } from '#lib/governance/command.ts';
import { knownPlace, unknownWorkspace } from '#lib/access/known-place.query.ts';
import type { ReadOrder } from './batch-file.ts';
import { lockEvidence } from '../evidence/evidence-lock.query.ts';
import { BatchOrder, LegacyBatch, OrderBatch } from './order-batch.entity.ts';
import { batchRoot, envelopeHash } from './order.ts';
import { countStates, type Progress } from './progress.ts';
import { settleBatch } from '../reconciliation/settlement.write.ts';

type Input = Tenant & {
  reference: string;
  portfolio: string;
  orders: readonly ReadOrder[];
  /** The batch of an earlier system that this batch continues. */
  legacy: string | null;
};

type Facts = { root: string; known: OrderBatch | null; isLegacyUnknown: boolean; isLegacyLinked: boolean };

type Verdict =
  | { ok: true; known: OrderBatch | null }
  | { ok: false; code: 'batch_reference_in_use' | 'legacy_batch_unknown' | 'legacy_batch_linked' };

const NOTHING_YET: Progress = {
  orders: countStates([]),
  confirmation: 'none',
  custody: 'none',
  observations: 0,
  last_observed_at: null,
  totals: [],
  exceptions: { open: 0, highest_severity: null },
  closing_blockers: [],
};

/**
 * Drafts an order batch. If a batch with this reference already exists with the same orders and portfolio,
 * returns the existing batch and changes nothing.
 */
export const importBatch = defineCommand<Input>()({
  find: knownPlace,
  unknown: 'workspace_unknown',
  lock: (em, { reference }) => lockEvidence(em, ['batch', reference]),
  async facts(em, _locked, { reference, orders, legacy }): Promise<Facts> {
    return {
      root: batchRoot(orders.map(({ order_hash }) => order_hash)),
      known: await em.findOne(OrderBatch, { batchReference: reference }),
      isLegacyUnknown: legacy !== null && !(await em.count(LegacyBatch, { uid: legacy })),
      isLegacyLinked: legacy !== null && (await em.count(OrderBatch, { legacyUid: legacy })) > 0,
    };
  },
  decide({ root, known, isLegacyUnknown, isLegacyLinked }, { portfolio }): Verdict {
    if (known) {
      const isSame = known.materialHashRoot === root && known.portfolioUid === portfolio;
      return isSame ? { ok: true, known } : { ok: false, code: 'batch_reference_in_use' };
    }
    if (isLegacyUnknown) return { ok: false, code: 'legacy_batch_unknown' };
    if (isLegacyLinked) return { ok: false, code: 'legacy_batch_linked' };
    return { ok: true, known };
  },
  async write(em, { root }, { known }, at) {
    if (known) return { result: { batch: known, isNew: false } };
    const batch = await createBatch(em, root, at);
    return { result: { batch, isNew: true }, consequences: await settleBatch(em, batch, at.now) };
  },
  entry(_facts, _verdict, _input, result) {
    if (!result?.isNew) return undefined;
    const { uid, envelopeHash: envelope_hash, materialHashRoot, orderCount: orders } = result.batch;
    return {
      op: 'batch.imported',
      subject: { type: 'order_batch', uid },
      details: { envelope_hash, material_hash_root: materialHashRoot, orders },
    };
  },
  refusals: {
    ...unknownWorkspace,
    batch_reference_in_use:
      'Another batch already has this reference. Import changed orders as a new batch with another reference.',
    legacy_batch_unknown: 'The workspace has no record of this batch of an earlier system.',
    legacy_batch_linked: 'Another order batch already continues this batch of an earlier system.',
  },
});

async function createBatch(em: Em, root: string, at: Circumstances & { input: Input }): Promise<OrderBatch> {
  const { workspace, environment } = at.place;
  const { reference, portfolio, orders, legacy } = at.input;
  const count = orders.length;
  const batch = em.create(OrderBatch, {
    uid: newUid(prefixes.orderBatch),
    workspaceUid: workspace,
    environment,
    version: 1,
    batchReference: reference,
    portfolioUid: portfolio,
    legacyUid: legacy,
    state: 'drafted',
    envelopeUid: newUid(prefixes.actionEnvelope),
    envelopeHash: envelopeHash({ workspace, environment, portfolio, reference, root, count }),
    materialHashRoot: root,
    orderCount: count,
    controls: null,
    importedByUid: personOf(at),
    createdAt: at.now,
    progress: NOTHING_YET,
  });
  await em.flush();
  for (const order of orders) {
    em.create(BatchOrder, {
      uid: newUid(prefixes.batchOrder),
      workspaceUid: workspace,
      environment,
      batchUid: batch.uid,
      orderHash: order.order_hash,
      instrument: order.instrument,
      side: order.side,
      quantity: order.quantity,
      orderType: order.order_type,
      limitPrice: order.limit_price,
      referencePrice: order.reference_price,
      currency: order.currency,
      accountReference: order.account_reference,
      timeInForce: order.time_in_force,
      settlementDate: order.settlement_date,
      state: 'open',
    });
  }
  await em.flush();
  return batch;
}
