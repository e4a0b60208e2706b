import { localTime } from '#lib/governance/policy/local-time.ts';
import type { Em, Tenant } from '#lib/database/base.ts';
import { Workspace } from '#lib/access/workspace.entity.ts';
import { askPolicies } from '../../authority/ask-policies.query.ts';

/** The facts that the policies receive before a batch is released. */
export type ReleaseQuestion = {
  tenant: Tenant;
  batch: string;
  orderCount: number;
  /** The notional of the orders by currency, in minor units, as the controls measured it. */
  gross: readonly { currency: string; amountMinor: bigint }[];
  /** The notional of the largest order in each currency, in minor units. */
  largest: readonly { currency: string; amountMinor: bigint }[];
  now: Date;
};

export type ReleaseAnswer =
  | { ok: true; decision: string }
  | { ok: false; decision: string | null; detail: string };

/**
 * Returns whether the workspace and its policies allow a release. The caller must call this function last, after every
 * other rule has allowed the release, in the same transaction. The policies receive amounts only if all orders have the
 * same currency. Without amounts, a policy rule that reads an amount denies the release.
 */
export async function askReleasePolicies(em: Em, question: ReleaseQuestion): Promise<ReleaseAnswer> {
  const { tenant, batch, orderCount, gross, largest, now } = question;
  const workspace = await em.findOneOrFail(Workspace, { uid: tenant.workspace }, { filters: false });
  if (workspace.financialActions === 'frozen') {
    return { ok: false, decision: null, detail: 'the financial actions of the workspace are frozen' };
  }
  const [only, ...others] = gross;
  const answer = await askPolicies(em, {
    tenant,
    subject: { type: 'order_batch', uid: batch },
    graph: null,
    input: {
      decision_point: 'batch_release',
      environment: tenant.environment,
      now: now.toISOString(),
      ...localTime(now, workspace.timeZone),
      action: 'investment.order.submit',
      'batch.uid': batch,
      'batch.order_count': orderCount,
      'batch.currencies': gross.map(({ currency }) => currency).sort(),
      ...(only && !others.length
        ? {
            currency: only.currency,
            'batch.gross_minor': Number(only.amountMinor),
            'batch.largest_order_minor': Number(largest[0]!.amountMinor),
          }
        : {}),
    },
    now,
  });
  if (answer.effect === 'allow') return { ok: true, decision: answer.uid };
  return {
    ok: false,
    decision: answer.uid,
    detail: `the policies deny the release; to see the reasons, run: assay policy explain ${answer.uid}`,
  };
}
