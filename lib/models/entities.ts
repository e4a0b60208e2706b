import { LqmModel, LqmServing, LqmVersion } from './registry/lqm.entity.ts';
import { ModelAlias, ModelVersion } from './registry/model.entity.ts';
import { RetrainingRequest } from './training/retraining-request.entity.ts';

/** The entities of this folder's tables. */
export const entities = [LqmModel, LqmVersion, LqmServing, ModelVersion, ModelAlias, RetrainingRequest];
