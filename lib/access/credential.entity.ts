import { defineEntity, p } from '@mikro-orm/core';
import { tenantColumns, tenantFilter } from '#lib/database/base.ts';

const CredentialSchema = defineEntity({
  name: 'Credential',
  filters: tenantFilter,
  properties: {
    uid: p.text().primary(),
    ...tenantColumns,
    applicationUid: p.text(),
    /** The public part of the key, by which it is looked up. */
    keyId: p.text(),
    /** SHA-256 of the whole key; the key itself is shown once and kept nowhere. */
    secretHash: p.text(),
    /** What its holders call it. */
    name: p.text().nullable(),
    issuedByUid: p.text(),
    createdAt: p.datetime(),
    expiresAt: p.datetime().nullable(),
    revokedAt: p.datetime().nullable(),
  },
});

/** An API key. It proves which application calls and nothing more. */
export class Credential extends CredentialSchema.class {}
CredentialSchema.setClass(Credential);
