import { sql } from 'kysely';
import { tenantOf } from '#lib/database/base.ts';
import { instant } from '#lib/data/as-of.query.ts';
import type { Source } from '../section-source.ts';
import { count } from '../section.ts';

/**
 * The section on the evidence packs of the workspace, and the share of its audit log that the packs cover.
 */
export const trustSection: Source = {
  key: 'trust',
  // There is no separate scope for reading packs. The scope for making packs also permits reading them.
  scope: 'trust:write',
  staleAfterHours: null,
  async read(em) {
    const { workspace, environment } = tenantOf(em);
    const { rows } = await sql<{ packs: number; covered: number; packedAt: string | null }>`
      select coalesce(max(sequence), 0)::integer as packs, coalesce(max(tree_size), 0)::float8 as covered,
        ${instant(sql`max(period_to)`)} as "packedAt"
      from evidence_pack where workspace_uid = ${workspace} and environment = ${environment}
    `.execute(em.getKysely());
    const { packs, covered, packedAt } = rows[0]!;
    return {
      metrics: [count('evidence_packs', packs, packedAt), count('audit_entries_in_packs', covered, packedAt)],
      attention: [],
    };
  },
};
