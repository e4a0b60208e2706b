import { defineEntity, p } from '@mikro-orm/core';
import { tenantColumns, tenantFilter } from '#lib/database/base.ts';
import type { Format } from './message.ts';

/** The reason why a webhook was disabled. */
export type DisabledCause = 'operator' | 'gone' | 'failing';

const WebhookSchema = defineEntity({
  name: 'Webhook',
  filters: tenantFilter,
  properties: {
    uid: p.text().primary(),
    ...tenantColumns,
    url: p.text(),
    description: p.text().nullable(),
    /** The types of events that the webhook receives. An empty list means every type. */
    types: p.array(),
    format: p.text().$type<Format>(),
    state: p.text().$type<'active' | 'disabled'>(),
    cause: p.text().$type<DisabledCause>().nullable(),
    /** The signer of messages, encrypted. */
    secret: p.text(),
    /** The previous signer, encrypted. Until it expires, this signer also signs messages. */
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
