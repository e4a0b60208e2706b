import { sql } from 'kysely';
import { tenantOf } from '#lib/database/base.ts';
import { instant } from '#lib/data/as-of.query.ts';
import type { Source } from '../section-source.ts';
import { count } from '../section.ts';
import { sealedRuns } from './sealed-runs.query.ts';

const kinds = {
  'modeling.trainings': 'trainings',
  'modeling.evaluations': 'evaluations',
  'modeling.drift-assessments': 'drift_assessments',
};

type Row = {
  models: number;
  approved: number;
  versionsAt: string | null;
  retraining: number;
  retrainingAt: string | null;
};

/** The section on numeric models, their versions, and retraining requests caused by drift. */
export const modelsSection: Source = {
  key: 'models',
  scope: 'ml:read',
  staleAfterHours: null,
  async read(em, now) {
    const { workspace, environment } = tenantOf(em);
    const own = sql`workspace_uid = ${workspace} and environment = ${environment}`;
    const { rows } = await sql<Row>`
      select v.*, q.* from (
        select count(distinct model_uid)::integer as models,
          count(*) filter (where approved_at is not null and retired_at is null)::integer as approved,
          ${instant(sql`max(greatest(created_at, approved_at, retired_at))`)} as "versionsAt"
        from lqm_version where ${own}
      ) v, (
        select count(*) filter (where state = 'pending_review')::integer as retraining,
          ${instant(sql`max(greatest(requested_at, reviewed_at))`)} as "retrainingAt"
        from retraining_request where ${own}
      ) q
    `.execute(em.getKysely());
    const { models, approved, versionsAt, retraining, retrainingAt } = rows[0]!;
    const runs = await sealedRuns(em, now, kinds, '/lqm/evaluations?state=failed');
    return {
      metrics: [
        count('numeric_models', models, versionsAt),
        count('versions_approved', approved, versionsAt),
        count('retrainings_to_review', retraining, retrainingAt),
        ...runs.metrics,
      ],
      attention: [
        {
          code: 'material_drift_to_review',
          severity: 'warning',
          count: retraining,
          link: '/lqm/drift-assessments',
        },
        ...runs.attention,
      ],
    };
  },
};
