import { Refusal } from '#lib/core/refusal.ts';
import type { VersionRequest } from '#lib/models/training/version-definition.ts';
import type { LqmFamily } from '#lib/models/registry/lqm.ts';
import { HORIZON_MAX } from '#lib/models/registry/prediction.schema.ts';
import { fitsOf, membersOf, type FitOptions } from './lqm-fit.ts';
import { words } from '../shell/options.ts';
import { wholeNumber } from '../shell/whole-number.ts';

export type DefinitionOptions = FitOptions & {
  family: LqmFamily;
  factors?: string;
  maxAgeDays: string;
  regimesMax?: string;
  target?: string;
  horizon?: string;
  feature?: string;
  toleranceDays?: string;
};

const TOLERANCE_DAYS = '7';

/** Returns the definition of a model version from the options, without its dataset. */
export function versionOf(options: DefinitionOptions): Omit<VersionRequest, 'dataset'> {
  const { family, factors, target, horizon = '1', maxAgeDays, regimesMax = '3' } = options;
  const members = family === 'ensemble' ? membersOf(options.members) : [];
  return {
    family,
    factors: factors === undefined ? undefined : words(factors),
    target,
    horizon: wholeNumber('--horizon', horizon, [0, HORIZON_MAX]),
    regimesMax: wholeNumber('--regimes-max', regimesMax, [1, 3]),
    maxAgeDays: wholeNumber('--max-age-days', maxAgeDays, [1, 36_600]),
    store: storeOf(options),
    members,
    fits: fitsOf(family, members, options),
  };
}

function storeOf({ feature, toleranceDays }: DefinitionOptions): VersionRequest['store'] {
  if (feature !== undefined) {
    const days = wholeNumber('--tolerance-days', toleranceDays ?? TOLERANCE_DAYS, [0, 3_660]);
    return { feature, toleranceDays: days };
  }
  if (toleranceDays === undefined) return undefined;
  throw new Refusal('feature_missing', '--tolerance-days needs --feature');
}
