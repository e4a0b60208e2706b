import { defineEntity, p } from '@mikro-orm/core';
import { tenantColumns, tenantFilter } from '#lib/database/base.ts';

const OAuthClientSchema = defineEntity({
  name: 'OAuthClient',
  tableName: 'oauth_client',
  filters: tenantFilter,
  properties: {
    /** The OAuth `client_id`. */
    uid: p.text().primary(),
    ...tenantColumns,
    applicationUid: p.text(),
    /** SHA-256 of the secret. The secret itself is shown once and never stored. */
    secretHash: p.text(),
    /**
     * The version of the secret. Each token stores the version for which it was issued. A new secret has a
     * new version, so the earlier tokens become invalid.
     */
    secretVersion: p.integer(),
    issuedByUid: p.text(),
    createdAt: p.datetime(),
    rotatedAt: p.datetime().nullable(),
    /** The person who rotated the secret last and received the current secret; null if the secret was never rotated. */
    rotatedByUid: p.text().nullable(),
    revokedAt: p.datetime().nullable(),
  },
});

/** An OAuth 2.0 client: the id and the secret with which an application requests access tokens. */
export class OAuthClient extends OAuthClientSchema.class {}
OAuthClientSchema.setClass(OAuthClient);
