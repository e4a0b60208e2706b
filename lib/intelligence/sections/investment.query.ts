import { sql } from 'kysely';
import { tenantOf } from '#lib/database/base.ts';
import { instant } from '#lib/data/as-of.query.ts';
import type { Source } from '../section-source.ts';
import { count } from '../section.ts';
import { sealedRuns } from './sealed-runs.query.ts';

const kinds = {
  'investment.theme-factors': 'theme_factor_runs',
  'investment.margin-calls': 'margin_calls',
  'investment.valuation-adjustments': 'valuation_adjustments',
};

type Row = {
  open: number;
  closed: number;
  batchesAt: string | null;
  exceptions: number;
  grave: number;
  exceptionsAt: string | null;
};

/** The section on order batches, their exceptions, and the runs of the investment models. */
export const investmentSection: Source = {
  key: 'investment',
  scope: 'investment:read',
  staleAfterHours: null,
  async read(em, now) {
    const { workspace, environment } = tenantOf(em);
    const own = sql`workspace_uid = ${workspace} and environment = ${environment}`;
    const { rows } = await sql<Row>`
      select b.*, e.* from (
        select count(*) filter (where state not in ('closed', 'cancelled'))::integer as open,
          count(*) filter (where state = 'closed')::integer as closed,
          ${instant(sql`max(greatest(created_at, approved_at, released_at, cancelled_at, closed_at))`)} as "batchesAt"
        from order_batch where ${own}
      ) b, (
        select count(*)::integer as exceptions, count(*) filter (where severity <> 'low')::integer as grave,
          ${instant(sql`max(greatest(opened_at, acknowledged_at))`)} as "exceptionsAt"
        from execution_exception where ${own} and state in ('open', 'acknowledged')
      ) e
    `.execute(em.getKysely());
    const { open, closed, batchesAt, exceptions, grave, exceptionsAt } = rows[0]!;
    const runs = await sealedRuns(em, now, kinds, '/investment/theme-watch/factors?state=failed');
    return {
      metrics: [
        count('order_batches_open', open, batchesAt),
        count('order_batches_closed', closed, batchesAt),
        count('execution_exceptions_open', exceptions, exceptionsAt),
        ...runs.metrics,
      ],
      attention: [
        {
          code: 'execution_exceptions_to_resolve',
          severity: grave > 0 ? 'critical' : 'warning',
          count: exceptions,
          link: '/actions/execution-exceptions?state=open',
        },
        ...runs.attention,
      ],
    };
  },
};
