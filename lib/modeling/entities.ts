import { RetrainingRequest } from './retraining-request.entity.ts';

/** The entities of this folder's tables. */
export const entities = [RetrainingRequest];
