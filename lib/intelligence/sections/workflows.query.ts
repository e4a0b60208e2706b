import { sql } from 'kysely';
import { tenantOf } from '#lib/database/base.ts';
import { instant } from '#lib/data/as-of.query.ts';
import type { Source } from '../section-source.ts';
import { count } from '../section.ts';

type Row = {
  open: number;
  waiting: number;
  succeeded: number;
  failed: number;
  runsAt: string | null;
  denied: number;
  deniedAt: string | null;
};

/** The section on the runs of workflows, the runs that wait for a person, and the starts that policies denied. */
export const workflowsSection: Source = {
  key: 'workflows',
  scope: 'workflow:read',
  staleAfterHours: null,
  async read(em, now) {
    const { workspace, environment } = tenantOf(em);
    const own = sql`workspace_uid = ${workspace} and environment = ${environment}`;
    const since = new Date(now.getTime() - 30 * 86_400_000);
    const { rows } = await sql<Row>`
      select r.*, a.* from (
        select count(*) filter (where ended_at is null)::integer as open,
          count(*) filter (where state = 'waiting_approval')::integer as waiting,
          count(*) filter (where state = 'succeeded' and ended_at >= ${since})::integer as succeeded,
          count(*) filter (where state in ('failed', 'timed_out') and ended_at >= ${since})::integer as failed,
          ${instant(sql`max(greatest(created_at, started_at, ended_at))`)} as "runsAt"
        from workflow_run where ${own}
      ) r, (
        select count(*) filter (where decision in ('denied', 'not_evaluated_denied'))::integer as denied,
          ${instant(sql`max(at)`)} as "deniedAt"
        from workflow_admission where ${own} and at >= ${since}
      ) a
    `.execute(em.getKysely());
    const { open, waiting, succeeded, failed, runsAt, denied, deniedAt } = rows[0]!;
    return {
      metrics: [
        count('workflow_runs_open', open, runsAt),
        count('workflow_runs_succeeded_30d', succeeded, runsAt),
        count('workflow_runs_failed_30d', failed, runsAt),
        count('workflow_starts_denied_30d', denied, deniedAt),
      ],
      attention: [
        {
          code: 'workflow_runs_waiting',
          severity: 'warning',
          count: waiting,
          link: '/workflows/runs?state=waiting_approval',
        },
        {
          code: 'workflow_runs_failed_30d',
          severity: 'warning',
          count: failed,
          link: '/workflows/runs?state=failed',
        },
      ],
    };
  },
};
