import type { Em } from '#lib/database/base.ts';
import { defineCommand, personOf, type RefusalCode } from '#lib/governance/command.ts';
import { lockControl } from '#lib/governance/governed/control-lock.query.ts';
import { approvalAuthority, authorityFor, lockDecisions } from './batch-authority.query.ts';
import {
  decideBatch,
  decideSupported,
  type BatchChange,
  type BatchChangeVerdict,
  type BatchSupport,
} from './batch-decision.ts';
import type { BatchState } from './batch-states.ts';
import { batchUnknown, placeOfBatch } from './batch.query.ts';
import { controlsOf, lockBatch } from './batch-lock.query.ts';
import { evaluateControls, measuredOf, verdictOf, type KeptControls } from './controls.ts';
import { BatchOrder, type OrderBatch } from './order-batch.entity.ts';
import { pricedOrder } from './order-facts.ts';
import { batchRoot, orderHash } from './order.ts';
import { askReleasePolicies, type ReleaseAnswer } from './release.query.ts';
import { controlRulesOf, toleranceInForce } from './rules.query.ts';
import { settleBatch } from '../reconciliation/settlement.write.ts';

type Input = {
  uid: string;
  event: BatchChange;
  /** The reason of a cancellation, in the words of the person. */
  reason?: string | undefined;
};

type Facts = {
  batch: OrderBatch;
  from: BatchState;
  root: string;
  measured: KeptControls | undefined;
  ruling: BatchChangeVerdict;
  support: BatchSupport & { authority?: { uid?: string }; answer?: ReleaseAnswer };
};

const ops = {
  evaluate: 'batch.evaluated',
  approve: 'batch.approved',
  release: 'batch.released',
  cancel: 'batch.cancelled',
} as const satisfies Record<BatchChange, string>;

/**
 * Evaluates, approves, releases or cancels an order batch. To approve or release a batch, a person needs an authority
 * that covers the amounts of the batch. For a release, the approver's authority must also still be valid. The policies
 * are evaluated last.
 */
export const changeBatch = defineCommand<Input>()({
  find: (em, { uid }) => placeOfBatch(em, uid),
  unknown: 'batch_unknown',
  async lock(em, { uid, event }, place) {
    const batch = (await lockBatch(em, uid))!;
    await lockControl(em, place.workspace, 'share');
    if (event === 'approve' || event === 'release') await lockDecisions(em, place);
    return batch;
  },
  async facts(em, batch, { event }, at): Promise<Facts> {
    const { place: tenant, now } = at;
    const orders = await em.find(BatchOrder, { batchUid: batch.uid }, { orderBy: { uid: 'asc' } });
    const root = batchRoot(orders.map((order) => orderHash(pricedOrder(order))));
    const inForce = await controlRulesOf(em, tenant);
    const measured = event === 'evaluate' ? measure(inForce, orders, root, now) : undefined;
    const rule = {
      state: batch.state,
      importedBy: batch.importedByUid,
      controls: controlsOf(batch, now),
      measuredBy: batch.controls?.measured_by ?? null,
      rulesInForce: inForce.versions,
      root,
      approvedRoot: batch.approvedRoot ?? null,
    };
    const measuredEvent = measured ? (measured.verdict === 'passed' ? 'pass' : 'fail') : event;
    const ruling: BatchChangeVerdict =
      root === batch.materialHashRoot
        ? decideBatch(rule, measuredEvent as Exclude<typeof measuredEvent, 'evaluate'>, personOf(at))
        : { ok: false, code: 'orders_changed' };
    const isDecided = ruling.ok && (event === 'approve' || event === 'release');
    const support = isDecided ? await readSupport(em, batch, event, { by: personOf(at), now }) : {};
    return { batch, from: batch.state, root, measured, ruling, support };
  },
  decide: ({ ruling, support }) => decideSupported(ruling, support),
  async write(em, { batch, root, measured, support }, { next }, at) {
    const { place, now, input } = at;
    const by = personOf(at);
    if (input.event === 'evaluate') {
      const none = { approvedByUid: null, approvedAt: null, approvedRoot: null, approvedAuthorityUid: null };
      em.assign(batch, { controls: measured!, ...none });
    } else if (input.event === 'approve') {
      const approved = { approvedByUid: by, approvedAt: now, approvedRoot: root };
      em.assign(batch, { ...approved, approvedAuthorityUid: support.authority!.uid! });
    } else if (input.event === 'cancel') {
      em.assign(batch, { cancelledByUid: by, cancelledAt: now, cancelReason: input.reason ?? null });
    } else {
      const released = { releasedByUid: by, releasedAt: now, releasedAuthorityUid: support.authority!.uid! };
      em.assign(batch, { ...released, tolerance: await toleranceInForce(em, place) });
    }
    batch.state = next;
    batch.version += 1;
    await em.flush();
    return { result: { batch }, consequences: await settleBatch(em, batch, now) };
  },
  entry({ batch, from, support }, verdict, { uid, event, reason }) {
    const decision = support.answer?.decision;
    return {
      op: ops[event],
      subject: { type: 'order_batch', uid },
      details: {
        material_hash_root: batch.materialHashRoot,
        ...(verdict.ok ? { from, to: verdict.next } : { state: from }),
        ...(reason === undefined ? {} : { reason }),
        ...(verdict.ok && support.authority ? { authority_uid: support.authority.uid } : {}),
        ...(decision == null ? {} : { decision_uid: decision }),
      },
    };
  },
  refusals: {
    batch_unknown: batchUnknown,
    transition_not_allowed: 'The state of the batch does not allow this change.',
    controls_not_passed: 'The pre-trade controls have not passed for these orders, or have expired.',
    second_person_required: 'The person who imported a batch cannot approve or release it.',
    control_rules_changed:
      'The pre-trade rules or the settlement calendar changed after the batch was evaluated. Evaluate the batch again.',
    authority_missing: 'The person who approves or releases the batch has no authority.',
    authority_inactive: 'No authority of the person is active.',
    authority_insufficient: 'No authority of the person covers the batch.',
    approval_void: 'The approval of the batch is for other orders, or is no longer valid.',
    orders_changed: 'The orders do not match the hash of the batch.',
    policy_denied: 'A policy denies the release.',
  } satisfies Record<RefusalCode<BatchChangeVerdict> | 'batch_unknown', string>,
});

/**
 * Reads the authorities and, for a release, the decision of the policies. Each check runs only if all checks
 * before it allow the change.
 */
async function readSupport(
  em: Em,
  batch: OrderBatch,
  capability: 'approve' | 'release',
  { by: person, now }: { by: string; now: Date },
): Promise<Facts['support']> {
  const tenant = { workspace: batch.workspaceUid, environment: batch.environment };
  const gross = measuredOf(batch.controls, 'gross_notional');
  const authority = await authorityFor(em, { tenant, batch: batch.uid, person, capability, gross, now });
  if (!authority.ok || capability === 'approve') return { authority };
  const approval = await approvalAuthority(em, batch, { tenant, gross, now });
  if (!approval.ok) return { authority, approval };
  const largest = measuredOf(batch.controls, 'order_notional');
  const { uid, orderCount } = batch;
  const answer = await askReleasePolicies(em, { tenant, batch: uid, orderCount, gross, largest, now });
  return { authority, approval, answer };
}

function measure(
  { rules, versions, validMinutes }: Awaited<ReturnType<typeof controlRulesOf>>,
  orders: readonly BatchOrder[],
  root: string,
  now: Date,
): KeptControls {
  const controls = evaluateControls(orders.map(pricedOrder), rules);
  const expires = new Date(now.getTime() + validMinutes * 60_000);
  return {
    verdict: verdictOf(controls),
    root,
    measured_by: versions,
    evaluated_at: now.toISOString(),
    expires_at: expires.toISOString(),
    controls,
  };
}
