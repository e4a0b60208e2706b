import { defineProduct, operatorAppends, operatorWrites } from '#lib/core/product.ts';

const batchMoved = ['from', 'to'];
const ofKey = ['application', 'replaces'];

/** Access control: workspaces, persons, applications, credentials, OAuth, counterparties and companies. */
export const access = defineProduct({
  folder: 'access',
  serves: {
    Access: {
      paths: ['/oauth'],
      about: 'Access tokens for applications, with the OAuth 2.0 client credentials grant.',
    },
    Workspace: { paths: ['/workspace'], about: 'The workspace, its applications and their credentials.' },
  },
  scopes: ['workspace:read'],
  prefixes: {
    workspace: 'wsp',
    person: 'per',
    application: 'app',
    credential: 'key',
    oauthClient: 'cli',
    accessToken: 'tok',
  },
  problems: {
    invalid_request: { status: 400, title: 'The OAuth request is not valid' },
    invalid_scope: { status: 400, title: 'None of the requested scopes can be granted' },
    unauthorized_client: { status: 400, title: 'The OAuth client is not allowed to receive tokens' },
    unsupported_grant_type: { status: 400, title: 'The OAuth grant type is not supported' },
    invalid_client: { status: 401, title: 'The OAuth client id or secret is not valid' },
    credential_required: { status: 401, title: 'A bearer token is required' },
    invalid_token: { status: 401, title: 'The bearer token is not valid' },
    application_inactive: { status: 403, title: 'The application is not active' },
    production_access_disabled: { status: 403, title: 'The application has no production access' },
    form_not_accepted: { status: 403, title: 'The form does not belong to an open session of the console' },
    entitlement_missing: { status: 403, title: 'The workspace is not entitled to this operation' },
    insufficient_scope: { status: 403, title: 'The credential does not have the required scope' },
    unknown_counterparty: { status: 422, title: 'The counterparty does not exist in the workspace' },
  },
  tables: {
    workspace: { rows: 'workspace', ...operatorWrites },
    person: { rows: 'workspace', ...operatorWrites },
    application: { rows: 'environment', ...operatorWrites },
    credential: { rows: 'environment', operator: 'select, insert, update', api: 'select' },
    company: { rows: 'workspace', ...operatorAppends },
    counterparty: { rows: 'workspace', ...operatorWrites },
    oauth_client: { rows: 'environment', ...operatorWrites },
    access_token: {
      rows: 'environment',
      operator: 'select, update',
      api: 'select, insert, update (revoked_at)',
      worker: 'select, delete',
    },
    credential_use: { rows: 'environment', operator: 'select', api: 'select, insert, update' },
    production_access: { rows: 'environment', ...operatorWrites },
    person_code: {
      rows: 'workspace',
      operator: 'select, insert, update',
      console: 'select, update (last_step, wrong_at, locked_until)',
    },
    console_link: {
      rows: 'environment',
      operator: 'select, insert, delete',
      console: 'select, update (used_at)',
    },
    console_session: {
      rows: 'environment',
      operator: 'select, update, delete',
      console: 'select, insert, update (seen_at, ended_at)',
    },
  },
  events: {
    'actions:read': {
      'workspace.frozen': 'All financial actions of the workspace were frozen.',
      'workspace.thawed': 'The financial actions of the workspace were allowed again.',
    },
    'workspace:read': {
      'application.created': 'An application was created.',
      'application.scopes_set': 'The scopes of an application were set.',
      'application.suspended': 'An application was suspended.',
      'application.resumed': 'An application was resumed.',
      'application.revoked': 'An application was revoked.',
      'key.issued': { about: 'An API key was issued.', members: ofKey },
      'key.revoked': { about: 'An API key was revoked.', members: ofKey },
      'oauth_client.issued': { about: 'An OAuth client was issued.', members: ofKey },
      'oauth_client.rotated': { about: 'The secret of an OAuth client was rotated.', members: ofKey },
      'oauth_client.revoked': { about: 'An OAuth client was revoked.', members: ofKey },
      'token.revoked': 'An access token was revoked.',
      'person.created': 'A person was created.',
      'person.enrolled': 'One-time codes were set up for a person.',
      'person.console_link_issued': 'A link for signing in to the console was issued for a person.',
      'person.signed_in': 'A person signed in to the console.',
      'person.signed_out': 'A person signed out of the console.',
      'person.suspended': { about: 'A person was suspended.', members: batchMoved },
      'person.reinstated': { about: 'A person was reinstated.', members: batchMoved },
      'person.departed': { about: 'A person was recorded as having left permanently.', members: batchMoved },
      'production_access.requested': 'Production access was requested for an application.',
      'production_access.approved': 'Production access of an application was approved.',
      'production_access.revoked': 'Production access of an application was revoked.',
      'workspace.class_set': 'The service class of the workspace was set.',
      'workspace.entitlements_set': 'The entitlements of the workspace were set.',
    },
  },
});
