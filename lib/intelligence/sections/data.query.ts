import { sql } from 'kysely';
import { instant } from '#lib/data/as-of.query.ts';
import { tenantOf } from '#lib/database/base.ts';
import type { Source } from '../section-source.ts';
import { count } from '../section.ts';

/** The age of the newest price, in days, at which prices need attention. */
const OLD_DAYS = 45;

type Row = { datasets: number; rows: number; importedAt: string | null; oldPrices: number };

/**
 * The section on the datasets that the workspace may read. Datasets store their own counts, so their content is not
 * counted here.
 */
export const dataSection: Source = {
  key: 'data',
  scope: 'data:reference:read',
  staleAfterHours: OLD_DAYS * 24,
  async read(em, now) {
    const { workspace } = tenantOf(em);
    const oldest = new Date(now.getTime() - OLD_DAYS * 86_400_000).toISOString().slice(0, 10);
    const { rows } = await sql<Row>`
      select count(*)::integer as datasets, coalesce(sum(d.rows_held), 0)::float8 as rows,
        ${instant(sql`max(i.imported_at)`)} as "importedAt",
        count(*) filter (where d.kind = 'prices' and d.last_observed_on < ${oldest}::date)::integer as "oldPrices"
      from dataset d
      join dataset_entitlement e on e.dataset_id = d.id and e.workspace_uid = ${workspace}
      left join dataset_import i on i.dataset_id = d.id and i.revision = d.revision
    `.execute(em.getKysely());
    const { datasets, rows: held, importedAt, oldPrices } = rows[0]!;
    return {
      metrics: [
        count('datasets', datasets, importedAt),
        { key: 'observations_held', value: held, unit: 'rows', as_of: importedAt },
      ],
      attention: [
        {
          code: 'prices_not_recent',
          severity: 'info',
          count: oldPrices,
          link: '/data/datasets?kind=prices',
        },
      ],
    };
  },
};
