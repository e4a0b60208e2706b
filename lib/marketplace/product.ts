import { defineProduct } from '#lib/core/product.ts';

/** Listings of workflows, datasets, models, connectors and policy templates. Nothing is bought or granted here. */
export const marketplace = defineProduct({
  folder: 'marketplace',
  serves: {
    Marketplace: {
      paths: ['/marketplace'],
      about: 'Workflows, datasets, models, connectors and policy templates that workspaces offer.',
    },
  },
  uses: ['workflows', 'models'],
  scopes: ['marketplace:read'],
  prefixes: { marketListing: 'mlt' },
  tables: {
    /** Persons propose and approve listings. Workers revoke certifications. Credentials only read listings. */
    market_listing: {
      rows: 'nobody',
      operator: `select, insert, update (state, approved_by_uid, is_publisher_verified, published_at, ended_at,
        certification, evidence_hash, evidence_uid, certification_revoked_at)`,
      api: 'select',
      worker: 'select, update (certification, evidence_hash, evidence_uid, certification_revoked_at)',
    },
  },
  events: {
    'marketplace:read': {
      'marketplace.proposed': {
        about: 'A listing of the marketplace was proposed.',
        members: ['kind', 'key', 'version'],
      },
      'marketplace.published': {
        about: 'A listing of the marketplace was published.',
        members: ['kind', 'key', 'version', 'certification'],
      },
      'marketplace.withdrawn': {
        about: 'A listing of the marketplace was withdrawn.',
        members: ['kind', 'key', 'version'],
      },
      'marketplace.certification_revoked': {
        about: 'The certification of a listing was revoked, because the item has changed.',
        members: ['kind', 'key', 'version'],
      },
    },
  },
});
