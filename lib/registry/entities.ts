import { LqmModel, LqmServing, LqmVersion } from './lqm.entity.ts';
import { ModelAlias, ModelVersion } from './model.entity.ts';

/** The entities of this folder's tables. */
export const entities = [LqmModel, LqmVersion, LqmServing, ModelVersion, ModelAlias];
