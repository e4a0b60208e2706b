import { defineEntity, p } from '@mikro-orm/core';
import { workspaceFilter } from '#lib/database/base.ts';
import type { IdentityState } from './identity.ts';

const PersonIdentitySchema = defineEntity({
  name: 'PersonIdentity',
  filters: workspaceFilter,
  properties: {
    uid: p.text().primary(),
    workspaceUid: p.text(),
    personUid: p.text(),
    /** The issuer of the identity provider, as its ID tokens state it. */
    issuer: p.text(),
    /** The subject that the provider gave to the person. Providers never give it to another person. */
    subject: p.text(),
    state: p.text().$type<IdentityState>(),
    linkedAt: p.datetime(),
    linkedByUid: p.text(),
    confirmedAt: p.datetime().nullable(),
    confirmedByUid: p.text().nullable(),
    removedAt: p.datetime().nullable(),
    usedAt: p.datetime().nullable(),
  },
});

/** An identity of a person at an identity provider, with which the person signs in to the console. */
export class PersonIdentity extends PersonIdentitySchema.class {}
PersonIdentitySchema.setClass(PersonIdentity);
