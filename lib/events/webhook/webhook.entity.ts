import { defineEntity, p } from '@mikro-orm/core';
import { tenantColumns, tenantFilter } from '#lib/database/base.ts';
import type { Format } from './message.ts';

/** Why nothing more is sent to a webhook. */
export type DisabledCause = 'operator' | 'gone' | 'failing';

const WebhookSchema = defineEntity({
  name: 'Webhook',
  filters: tenantFilter,
  properties: {
    uid: p.text().primary(),
    ...tenantColumns,
    url: p.text(),
    description: p.text().nullable(),
    /** None means every type. */
    types: p.array(),
    format: p.text().$type<Format>(),
    state: p.text().$type<'active' | 'disabled'>(),
    cause: p.text().$type<DisabledCause>().nullable(),
    /** What messages are signed with, encrypted. */
    secret: p.text(),
    /** Encrypted; messages are signed with it too until it ends. */
    previousSecret: p.text().nullable(),
    previousEndsAt: p.datetime().nullable(),
    failingSince: p.datetime().nullable(),
    createdBy: p.text(),
    createdAt: p.datetime(),
    disabledAt: p.datetime().nullable(),
  },
});

/** An address that the events of a workspace and environment are sent to. */
export class Webhook extends WebhookSchema.class {}
WebhookSchema.setClass(Webhook);
