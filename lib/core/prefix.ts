/** The kinds of public ids. One table, so that no two resources share a prefix. */
export const prefixes = {
  workspace: 'wsp',
  person: 'per',
  application: 'app',
  credential: 'key',
  oauthClient: 'cli',
  accessToken: 'tok',
  dataset: 'dst',
  datasetImport: 'imp',
  instrument: 'ins',
  themeFactorRun: 'tfr',
  auditEntry: 'aud',
  obligation: 'obl',
  nettingSet: 'nst',
  marginCall: 'mgc',
  valuationAdjustment: 'xva',
  evidenceConflict: 'obc',
  request: 'req',
} as const;

export type Prefix = (typeof prefixes)[keyof typeof prefixes];
