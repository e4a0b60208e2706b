import { defineEntity, p } from '@mikro-orm/core';
import { tenantColumns, tenantFilter } from '#lib/database/base.ts';

const OAuthClientSchema = defineEntity({
  name: 'OAuthClient',
  tableName: 'oauth_client',
  filters: tenantFilter,
  properties: {
    /** The `client_id`. */
    uid: p.text().primary(),
    ...tenantColumns,
    applicationUid: p.text(),
    /** SHA-256 of the secret; the secret itself is shown once and kept nowhere. */
    secretHash: p.text(),
    /** Tokens carry it: a new secret ends those of the old one. */
    secretVersion: p.integer(),
    issuedByUid: p.text(),
    createdAt: p.datetime(),
    rotatedAt: p.datetime().nullable(),
    /** Who was shown the present secret, where it is not the first one. */
    rotatedByUid: p.text().nullable(),
    revokedAt: p.datetime().nullable(),
  },
});

/** An OAuth 2.0 client: the id and secret by which an application is given access tokens. */
export class OAuthClient extends OAuthClientSchema.class {}
OAuthClientSchema.setClass(OAuthClient);
