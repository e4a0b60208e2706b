import { defineEntity, p } from '@mikro-orm/core';
import { tenantColumns, tenantFilter } from '#lib/database/base.ts';

const CredentialSchema = defineEntity({
  name: 'Credential',
  filters: tenantFilter,
  properties: {
    uid: p.text().primary(),
    ...tenantColumns,
    applicationUid: p.text(),
    /** The public part of the key, used for its look-up. */
    keyId: p.text(),
    /** SHA-256 of the whole key. The key itself is shown once and never stored. */
    secretHash: p.text(),
    /** The name that the issuer gave to the key. */
    name: p.text().nullable(),
    issuedByUid: p.text(),
    createdAt: p.datetime(),
    expiresAt: p.datetime().nullable(),
    revokedAt: p.datetime().nullable(),
  },
});

/** An API key. It identifies the application that makes a request, and grants no rights itself. */
export class Credential extends CredentialSchema.class {}
CredentialSchema.setClass(Credential);
