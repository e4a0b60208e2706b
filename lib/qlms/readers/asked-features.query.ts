import { sql } from 'kysely';
import { tenantOf, type Em } from '#lib/database/base.ts';

/**
 * A feature of instruments that questions may be about, in its newest version that has values, or in its newest version
 * if none has values.
 */
export type AskedFeature = {
  key: string;
  unit: string;
  frequency: 'daily' | 'weekly' | 'monthly' | 'quarterly' | 'yearly';
  versionId: number;
  datasetUid: string;
  datasetId: number;
};

const FEATURES_MAX = 500;

/** Lists the active features of instruments of the tenant's workspace whose dataset the workspace may read. */
export async function askedFeatures(em: Em): Promise<AskedFeature[]> {
  const { workspace } = tenantOf(em);
  const { rows } = await sql<AskedFeature>`
    select distinct on (f.key) f.key, v.unit, v.frequency, v.id as "versionId", d.uid as "datasetUid",
      d.id as "datasetId"
    from feature f
    join feature_version v on v.feature_uid = f.uid
    join dataset d on d.id = v.dataset_id
    join dataset_entitlement e on e.dataset_id = d.id and e.workspace_uid = ${workspace}
    where f.workspace_uid = ${workspace} and f.status = 'active' and f.entity_type = 'instrument'
    order by f.key, exists (select from feature_value x where x.feature_version_id = v.id) desc, v.version desc
    limit ${FEATURES_MAX}
  `.execute(em.getKysely());
  return rows;
}

/** The native period of a feature. Daily and weekly values are read as prices are: the last value of each month. */
export function nativeOf({ frequency }: AskedFeature): 'monthly' | 'quarterly' | 'yearly' {
  return frequency === 'quarterly' || frequency === 'yearly' ? frequency : 'monthly';
}
