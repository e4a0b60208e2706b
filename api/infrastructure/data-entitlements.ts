import { canonicalHash, canonicalJson } from '#lib/core/seal.ts';
import { Closed, ListOf, pageQuery } from '#lib/core/schema.ts';
import { ownerEntitlement } from '#lib/data/rights/held-rights.query.ts';
import { listEntitlements, type ListedEntitlement } from '#lib/data/rights/entitlements.query.ts';
import { entitlementStatus } from '#lib/data/rights/entitlement.ts';
import type { EntitlementTerms } from '#lib/data/rights/terms.schema.ts';
import { odrlOf } from '#lib/data/rights/odrl.ts';
import { listReply } from '../http/page.ts';
import { defineFile } from '../services.ts';
import { DataEntitlementResource } from './data-entitlement.schema.ts';

const PATH = '/infrastructure/data-entitlements';
const ODRL = 'application/ld+json';

export const listDataEntitlements = defineFile({
  key: 'infrastructure.data_entitlements.list',
  product: 'Infrastructure',
  method: 'GET',
  path: PATH,
  scope: 'infrastructure:read',
  summary: 'Lists the terms on which the workspace may use datasets, newest first.',
  description:
    'The workspace may use its own datasets for every action, unless a recorded entitlement prohibits the action. Any other dataset needs a permission for the action, with all constraints met, and no prohibition. An action ' +
    'includes others: display, derive and export include read; train includes derive; redistribute includes export. ' +
    'With `Accept: application/ld+json` the page is a list of ODRL 2.2 agreements. Operators grant entitlements on the ' +
    'command line; this operation changes nothing.',
  query: Closed(pageQuery),
  success: {
    status: 200,
    description: 'A page of entitlements.',
    schema: ListOf(DataEntitlementResource),
  },
  files: {
    [ODRL]: {
      description: 'ODRL 2.2 agreements of the page, in JSON-LD.',
      example: '{"@context":["http://www.w3.org/ns/odrl.jsonld"],"@graph":[]}',
    },
  },
  problems: ['invalid_cursor', 'not_acceptable'],
  async handle({ services, query, caller, accepts, fail }) {
    const type = accepts(['application/json', ODRL]);
    if (!type) fail('not_acceptable', `The entitlements are available as application/json and ${ODRL}.`);
    const now = services.clock.now();
    const page = await listReply(services, query, {
      list: PATH,
      filters: {},
      rows: listEntitlements,
      present: (row) => present(row, caller.workspace, now),
    });
    if (type === 'application/json') return { ...page, headers: { ...page.headers, Vary: 'Accept' } };
    const file = Buffer.from(canonicalJson(odrlOf(page.body.data)), 'utf8');
    return { file, type: ODRL, name: 'data-entitlements.jsonld' };
  },
});

function present(row: ListedEntitlement, workspace: string, now: Date): DataEntitlementResource {
  const shared = {
    uid: row.uid,
    dataset_uid: row.datasetUid,
    dataset_key: `${row.datasetKind}/${row.datasetName}`,
    assignee: workspace,
    conflict: 'prohibit' as const,
    default: 'prohibit' as const,
  };
  if ('basis' in row) {
    const { permissions } = ownerEntitlement({ dataset: row.datasetUid, assignee: workspace });
    const terms = { permissions, prohibitions: [], duties: [] } as unknown as Pick<
      DataEntitlementResource,
      'permissions' | 'prohibitions' | 'duties'
    >;
    return {
      ...shared,
      ...terms,
      basis: row.basis,
      provider: null,
      valid_from: null,
      valid_until: null,
      status: 'active',
      licence: { source_reference: null, source_hash: null },
      entitlement_hash: canonicalHash({ dataset_uid: row.datasetUid, assignee: workspace, terms }),
      granted_at: null,
    };
  }
  // The columns hold what `EntitlementTerms` accepted when the entitlement was granted.
  const { permissions, prohibitions, duties } = row as unknown as Required<EntitlementTerms>;
  return {
    ...shared,
    basis: 'recorded',
    provider: row.provider,
    permissions,
    prohibitions,
    duties,
    valid_from: row.validFrom?.toISOString() ?? null,
    valid_until: row.validUntil?.toISOString() ?? null,
    status: entitlementStatus(
      { state: row.state, validFrom: row.validFrom ?? null, validUntil: row.validUntil ?? null },
      now,
    ),
    licence: { source_reference: row.licenceReference ?? null, source_hash: row.licenceHash },
    entitlement_hash: row.entitlementHash,
    granted_at: row.approvedAt?.toISOString() ?? null,
  };
}
