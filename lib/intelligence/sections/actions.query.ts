import { sql } from 'kysely';
import { tenantOf } from '#lib/database/base.ts';
import { instant } from '#lib/data/as-of.query.ts';
import type { Source } from '../section-source.ts';
import { count } from '../section.ts';

type Row = {
  registered: number;
  disputed: number;
  obligationsAt: string | null;
  conflicts: number;
  conflictsAt: string | null;
  inForce: number;
  drafts: number;
  suspended: number;
  delegationsAt: string | null;
};

/** The section on obligations, the evidence that contradicts them, and delegations. */
export const actionsSection: Source = {
  key: 'actions',
  scope: 'actions:read',
  staleAfterHours: null,
  async read(em) {
    const { workspace, environment } = tenantOf(em);
    const own = sql`workspace_uid = ${workspace} and environment = ${environment}`;
    const { rows } = await sql<Row>`
      select o.*, c.*, d.* from (
        select count(*) filter (where governance_state = 'registered')::integer as registered,
          count(*) filter (where governance_state = 'disputed')::integer as disputed,
          ${instant(sql`max(last_seen_at)`)} as "obligationsAt"
        from obligation where ${own}
      ) o, (
        select count(*) filter (where state = 'open')::integer as conflicts,
          ${instant(sql`max(greatest(offered_at, resolved_at))`)} as "conflictsAt"
        from evidence_conflict where ${own} and subject_type = 'obligation'
      ) c, (
        select count(*) filter (where state = 'activated')::integer as "inForce",
          count(*) filter (where state = 'draft')::integer as drafts,
          count(*) filter (where state = 'suspended')::integer as suspended,
          ${instant(sql`max(greatest(created_at, activated_at, ended_at))`)} as "delegationsAt"
        from delegation where ${own}
      ) d
    `.execute(em.getKysely());
    const row = rows[0]!;
    return {
      metrics: [
        count('obligations_registered', row.registered, row.obligationsAt),
        count('obligations_disputed', row.disputed, row.obligationsAt),
        count('evidence_conflicts_open', row.conflicts, row.conflictsAt),
        count('delegations_in_force', row.inForce, row.delegationsAt),
        count('delegations_in_draft', row.drafts, row.delegationsAt),
      ],
      attention: [
        {
          code: 'evidence_conflicts_to_resolve',
          severity: 'warning',
          count: row.conflicts,
          link: '/actions/credit-corporate/obligation-conflicts?state=open',
        },
        {
          code: 'delegations_to_approve',
          severity: 'info',
          count: row.drafts,
          link: '/actions/agentic/delegations?state=draft',
        },
        {
          code: 'delegations_suspended',
          severity: 'warning',
          count: row.suspended,
          link: '/actions/agentic/delegations?state=suspended',
        },
      ],
    };
  },
};
