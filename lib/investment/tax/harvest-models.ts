/** The versions of the model, oldest first. Sealed runs of every version can be replayed. */
const harvestModels = ['svc_tax_harvest_us_v1', 'svc_tax_harvest_us_v2'] as const;
export type HarvestModel = (typeof harvestModels)[number];

/** The version that computes new runs. */
export const HARVEST_MODEL = 'svc_tax_harvest_us_v2' satisfies HarvestModel;

/** Returns the version with a key. Throws a `RangeError` if there is none. */
export function harvestModelOf(key: string): HarvestModel {
  const found = harvestModels.find((each) => each === key);
  if (!found) throw new RangeError(`the tax harvest model ${key} does not exist`);
  return found;
}
