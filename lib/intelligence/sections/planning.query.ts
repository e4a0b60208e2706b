import { sql } from 'kysely';
import { tenantOf } from '#lib/database/base.ts';
import { instant } from '#lib/data/as-of.query.ts';
import type { Source } from '../section-source.ts';
import { count } from '../section.ts';
import { sealedRuns } from './sealed-runs.query.ts';

/** The number of newest scores that are read. */
const SCORES = 200;

type Row = { scored: number; scoredAt: string | null; inside: number; of: number };

/** The section on forecasts, and on the accuracy of the forecasts whose periods have known values. */
export const planningSection: Source = {
  key: 'planning',
  scope: 'planning:read',
  staleAfterHours: null,
  async read(em, now) {
    const { workspace, environment } = tenantOf(em);
    const { rows } = await sql<Row>`
      with newest as (
        select run_uid, score, scored_at from forecast_score
        where workspace_uid = ${workspace} and environment = ${environment}
        order by scored_at desc, run_uid desc limit ${SCORES}
      )
      select count(distinct run_uid)::integer as scored, ${instant(sql`max(scored_at)`)} as "scoredAt",
        coalesce(sum((c ->> 'inside')::integer), 0)::integer as inside, coalesce(sum((c ->> 'of')::integer), 0)::integer as of
      from newest left join lateral jsonb_array_elements(score -> 'coverage') c on (c ->> 'level')::numeric = 80
    `.execute(em.getKysely());
    const { scored, scoredAt, inside, of } = rows[0]!;
    const runs = await sealedRuns(
      em,
      now,
      { 'planning.forecasts': 'forecasts' },
      '/planning/forecasts?state=failed',
    );
    return {
      metrics: [
        ...runs.metrics,
        count(`forecasts_scored`, scored, scoredAt),
        {
          key: 'values_within_80_per_cent_interval',
          value: of === 0 ? null : Math.round((inside / of) * 1_000) / 10,
          unit: 'per_cent',
          as_of: of === 0 ? null : scoredAt,
        },
      ],
      attention: runs.attention,
    };
  },
};
