import { sql } from 'kysely';
import { appendAudit } from '#lib/audit/audit.write.ts';
import { tenantOf, type Em } from '#lib/database/base.ts';
import { thresholdCrossings, type ThresholdCrossing } from './finops-month.query.ts';
import { lockFinopsPolicy } from './finops.query.ts';
import type { FinopsPolicyBody } from './finops-policy.schema.ts';

type Basis = FinopsPolicyBody['cost_basis'];

/**
 * Records each threshold of a budget that the costs of a month have reached, once per month, budget and threshold.
 * Called in the transaction that added costs. `basis` is the cost basis of the added costs, and `times` are their
 * instants. Transactions that add costs run one after another, so that each transaction sees the costs of all earlier
 * transactions.
 */
export async function recordCrossings(
  em: Em,
  { basis, times, now }: { basis: Basis; times: readonly Date[]; now: Date },
): Promise<void> {
  if (times.length === 0) return;
  const policy = await lockFinopsPolicy(em);
  if (policy?.body.cost_basis !== basis) return;
  const { currency, cost_basis } = policy.body;
  for (const at of times) {
    for (const crossing of await thresholdCrossings(em, policy.body, at)) {
      if (!(await keep(em, crossing, policy.body))) continue;
      const { month, scope, pct } = crossing;
      await appendAudit(em, {
        at: now,
        op: 'finops.threshold_crossed',
        actor: { kind: 'system' },
        subject: { type: 'finops_policy', uid: policy.uid, version: policy.version },
        details: {
          month: month.slice(0, 7),
          ...(scope === null ? {} : { workflow: scope }),
          threshold_pct: pct,
          currency,
          cost_basis,
        },
      });
    }
  }
}

/** Records that a threshold was crossed. Returns whether the record is new. */
async function keep(
  em: Em,
  { month, scope, pct, budget, at }: ThresholdCrossing & { month: string },
  { currency, cost_basis: basis }: FinopsPolicyBody,
): Promise<boolean> {
  const { workspace, environment } = tenantOf(em);
  const { rows } = await sql`
    insert into workflow_budget_crossing
      (workspace_uid, environment, month, scope, threshold_pct, budget_minor, currency, cost_basis, crossed_at)
    values (${workspace}, ${environment}, ${month}, ${scope ?? ''}, ${pct}, ${budget}::bigint, ${currency}, ${basis},
      ${at})
    on conflict do nothing returning 1
  `.execute(em.getKysely());
  return rows.length > 0;
}
