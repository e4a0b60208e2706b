import { sql } from 'kysely';
import { tenantOf } from '#lib/database/base.ts';
import { instant } from '#lib/data/as-of.query.ts';
import type { Source } from '../section-source.ts';
import { count } from '../section.ts';

type Row = {
  active: number;
  connectionsAt: string | null;
  calls: number;
  failed: number;
  unpriced: number;
  callsAt: string | null;
};

/** The section on the connected AI providers and their usage. */
export const aiSection: Source = {
  key: 'ai',
  scope: 'ai:connections:read',
  staleAfterHours: null,
  async read(em, now) {
    const { workspace, environment } = tenantOf(em);
    const own = sql`workspace_uid = ${workspace} and environment = ${environment}`;
    const since = new Date(now.getTime() - 30 * 86_400_000);
    const { rows } = await sql<Row>`
      select c.*, u.* from (
        select count(*) filter (where state = 'active')::integer as active,
          ${instant(sql`max(greatest(created_at, revoked_at))`)} as "connectionsAt"
        from ai_connection where ${own}
      ) c, (
        select count(*)::integer as calls, count(*) filter (where failure is not null)::integer as failed,
          count(*) filter (where cost_micro is null and may_be_billed)::integer as unpriced,
          ${instant(sql`max(ended_at)`)} as "callsAt"
        from ai_call where ${own} and started_at >= ${since} and ended_at is not null
      ) u
    `.execute(em.getKysely());
    const { active, connectionsAt, calls, failed, unpriced, callsAt } = rows[0]!;
    return {
      metrics: [
        count('ai_connections_active', active, connectionsAt),
        count('ai_calls_30d', calls, callsAt),
        count('ai_calls_failed_30d', failed, callsAt),
      ],
      attention: [
        { code: 'ai_calls_unpriced_30d', severity: 'info', count: unpriced, link: '/ai/byok/usage?days=30' },
      ],
    };
  },
};
