import { Webhook } from './webhook/webhook.entity.ts';

/** The entities of this folder's tables. */
export const entities = [Webhook];
