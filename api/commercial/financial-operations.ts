import type { Static } from 'typebox';
import { EMPTY_ROOT } from '#lib/audit/merkle.ts';
import { Closed } from '#lib/core/schema.ts';
import type { ValueSnapshot } from '#lib/commercial/value-snapshot.entity.ts';
import { newestValueSnapshot, windowTo } from '#lib/commercial/value-snapshot.write.ts';
import { ValueSchema } from '#lib/commercial/value.schema.ts';
import { emptyFacts, STALE_AFTER_S, valueOf } from '#lib/commercial/value.ts';
import { defineOperation } from '../services.ts';

export const getFinancialOperationsValue = defineOperation({
  key: 'commercial.financial_operations.value.get',
  product: 'Commercial',
  method: 'GET',
  path: '/commercial/financial-operations/value',
  scope: 'commercial:read',
  summary: "Returns the value of the workspace's financial actions.",
  description:
    'Returns the newest sealed snapshot. Its figures cover 30 days and are computed from the audit log and the reconciliation records. A new snapshot is sealed within an hour after its figures change, and at least once a day. If nothing has happened yet, the counts are zero and the coverage is `empty`.',
  query: Closed({}),
  success: { status: 200, description: 'The snapshot.', schema: ValueSchema },
  problems: [],
  async handle({ services }) {
    const snapshot = await services.query(newestValueSnapshot);
    return { status: 200, body: present(snapshot, services.clock.now()) };
  },
});

function present(snapshot: ValueSnapshot | null, now: Date): Static<typeof ValueSchema> {
  const { from, to } = windowTo(now);
  const content = snapshot?.content ?? valueOf(emptyFacts(from, to, EMPTY_ROOT));
  const age = snapshot && Math.max(0, Math.floor((now.getTime() - snapshot.asOf.getTime()) / 1_000));
  return {
    uid: snapshot?.uid ?? null,
    ...content,
    computed_at: snapshot?.asOf.toISOString() ?? null,
    freshness: {
      age_seconds: age,
      stale: age !== null && age > STALE_AFTER_S,
      stale_after_seconds: STALE_AFTER_S,
    },
    snapshot_hash: snapshot?.snapshotHash ?? null,
  } as Static<typeof ValueSchema>;
}
