import { type Em, tenantOf } from '#lib/database/base.ts';
import { Feature, FeatureVersion } from '#lib/data/feature.entity.ts';
import type { LqmDefinition, StoreLink } from '#lib/registry/lqm.ts';
import { Refusal } from '#lib/core/refusal.ts';
import { wholeNumber } from './whole-number.ts';

export type StoreOptions = { feature?: string; toleranceDays?: string; maxAgeDays: string };

const TOLERANCE_DAYS = '7';

/** The feature whose entities the factors are, as the options name it; nothing where they name none. */
export async function storeOf(
  em: Em,
  { feature: named, toleranceDays, maxAgeDays }: StoreOptions,
  columns: LqmDefinition['columns'],
): Promise<{ store?: StoreLink }> {
  if (named === undefined) {
    if (toleranceDays !== undefined)
      throw new Refusal('feature_missing', '--tolerance-days goes with --feature');
    return {};
  }
  const { key, found } = await featureVersion(em, named);
  if (Number(maxAgeDays) > found.maxAgeDays)
    throw new Refusal(
      'max_age_invalid',
      `${key} tells values of ${found.maxAgeDays} days at most: --max-age-days ${found.maxAgeDays} or less`,
    );
  const other = columns.find(({ unit }) => unit !== found.unit);
  if (other)
    throw new Refusal('unit_differs', `${other.name} is in ${other.unit}, and ${key} is in ${found.unit}`);
  const tolerance_days = wholeNumber('--tolerance-days', toleranceDays ?? TOLERANCE_DAYS, [0, 3_660]);
  return { store: { feature: key, version: found.version, version_id: found.id, tolerance_days } };
}

async function featureVersion(em: Em, named: string): Promise<{ key: string; found: FeatureVersion }> {
  const [, key, version] = /^(.+?)(?:@([1-9]\d{0,8}))?$/.exec(named) ?? [];
  const workspaceUid = tenantOf(em).workspace;
  const feature = await em.findOne(Feature, { workspaceUid, key: key ?? '' });
  const found =
    feature &&
    (await em.findOne(
      FeatureVersion,
      { featureUid: feature.uid, ...(version === undefined ? {} : { version: Number(version) }) },
      { orderBy: { version: 'desc' } },
    ));
  if (!found) throw new Refusal('feature_unknown', `the workspace has no feature ${named}`);
  return { key: key!, found };
}
