import { Dataset, DatasetImport } from './dataset.entity.ts';
import { Feature, FeatureVersion } from './feature.entity.ts';
import { OwnMetric } from './metric.entity.ts';

/** The entities of this folder's tables. */
export const entities = [Dataset, DatasetImport, Feature, FeatureVersion, OwnMetric];
