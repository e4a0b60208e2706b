import { defineEntity, p } from '@mikro-orm/core';
import { tenantColumns, tenantFilter } from '#lib/database/base.ts';
import type { Format } from './message.ts';

/** Why a webhook was disabled. */
export type DisabledCause = 'operator' | 'gone' | 'failing';

const WebhookSchema = defineEntity({
  name: 'Webhook',
  filters: tenantFilter,
  properties: {
    uid: p.text().primary(),
    ...tenantColumns,
    url: p.text(),
    description: p.text().nullable(),
    /** An empty list means every type. */
    types: p.array(),
    format: p.text().$type<Format>(),
    state: p.text().$type<'active' | 'disabled'>(),
    cause: p.text().$type<DisabledCause>().nullable(),
    /** The encrypted signer of messages. */
    secret: p.text(),
    /** The encrypted previous signer, which also signs messages until it expires. */
    previousSecret: p.text().nullable(),
    previousEndsAt: p.datetime().nullable(),
    failingSince: p.datetime().nullable(),
    createdBy: p.text(),
    createdAt: p.datetime(),
    disabledAt: p.datetime().nullable(),
  },
});

/** A URL that the events of a workspace and environment are sent to. */
export class Webhook extends WebhookSchema.class {}
WebhookSchema.setClass(Webhook);
