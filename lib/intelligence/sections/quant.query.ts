import { sql } from 'kysely';
import { tenantOf } from '#lib/database/base.ts';
import { instant } from '#lib/data/as-of.query.ts';
import type { Source } from '../section-source.ts';
import { count } from '../section.ts';
import { sealedRuns } from './sealed-runs.query.ts';

const kinds = {
  'quant.research-snapshots': 'research_snapshots',
  'quant.research-runs': 'research_runs',
};

/** The section on research projects, their sealed snapshots and experiments. */
export const quantSection: Source = {
  key: 'quant',
  scope: 'quant:research:read',
  staleAfterHours: null,
  async read(em, now) {
    const { workspace } = tenantOf(em);
    const { rows } = await sql<{ projects: number; projectsAt: string | null }>`
      select count(*)::integer as projects, ${instant(sql`max(created_at)`)} as "projectsAt"
      from research_project where workspace_uid = ${workspace}
    `.execute(em.getKysely());
    const { projects, projectsAt } = rows[0]!;
    const runs = await sealedRuns(em, now, kinds, '/quant/research/runs?state=failed');
    return {
      metrics: [count('research_projects', projects, projectsAt), ...runs.metrics],
      attention: runs.attention,
    };
  },
};
