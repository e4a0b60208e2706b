import Type from 'typebox';
import { prefixes } from '#lib/core/prefix.ts';
import { Problem, invalid } from '#lib/core/problem.ts';
import { Closed, ListOf, pageQuery, Uid } from '#lib/core/schema.ts';
import type { Denied } from '#lib/governance/command.ts';
import { findItems, positionOf } from '#lib/workflows/catalogue/found-items.query.ts';
import { installItem } from '#lib/workflows/catalogue/install-item.command.ts';
import { listReply } from '../http/page.ts';
import { defineOperation } from '../services.ts';
import { tenantOf } from '../tenant.ts';
import { InstallationResource, ItemVersion, presentInstallation } from './installation.schema.ts';
import { Category, LibraryItemResource, listedStates, presentItem } from './library-item.schema.ts';

const PATH = '/workflows/library';
const KEY = /^[a-z0-9][a-z0-9-]{1,63}$/;

export const listLibrary = defineOperation({
  key: 'workflows.library.list',
  product: 'Workflows',
  method: 'GET',
  path: PATH,
  scope: 'workflow:read',
  summary: 'Lists the workflows of the library, by key, newest version first.',
  description:
    'The library has the workflows that come with Assay, and those that two persons of the operator offer. Withdrawn workflows are not listed.',
  query: Closed({
    ...pageQuery,
    category: Type.Optional({ ...Category, description: 'Returns only workflows of this category.' }),
    status: Type.Optional(
      Type.Enum([...listedStates], { description: 'Returns only workflows with this status.' }),
    ),
    q: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 100,
        description: 'Search words. Each must be the start of a word in the key, title or description.',
        examples: ['forecast'],
      }),
    ),
  }),
  success: { status: 200, description: 'A page of workflows.', schema: ListOf(LibraryItemResource) },
  problems: ['invalid_cursor'],
  handle({ services, query }) {
    const { category, status, q } = query;
    return listReply(services, query, {
      list: PATH,
      filters: { category: category ?? null, status: status ?? null, q: q ?? null },
      hasLargeRows: true,
      rows: (em, page) => findItems(em, { ...page, category, status, words: q }),
      present: presentItem,
      position: ({ item }) => positionOf(item),
    });
  },
});

export const installLibraryItem = defineOperation({
  key: 'workflows.library.install',
  product: 'Workflows',
  method: 'POST',
  path: `${PATH}/{key}/install`,
  scope: 'workflow:manage',
  summary: 'Installs a workflow of the library.',
  description:
    'An installation pins the content of the workflow by its digest. It grants nothing, enables nothing and starts nothing: a person proposes a version from it, and another person publishes the version. The same version with the same parameters is installed once. To change the version or the parameters, name the current installation in `replaces`.',
  body: Closed(
    {
      version: Type.Optional({
        ...ItemVersion,
        description: 'The version. Default: the newest published version.',
      }),
      parameters: Type.Optional(
        Type.Record(
          Type.String(),
          Type.Union([Type.String({ maxLength: 500 }), Type.Number(), Type.Boolean(), Type.Null()]),
          {
            maxProperties: 20,
            description:
              'The parameters with which the workflow will run, by name. If given, they must match `inputs_schema`.',
            examples: [{}],
          },
        ),
      ),
      replaces: Type.Optional(
        Uid(prefixes.workflowInstallation, 'The installation of the same workflow that is replaced.'),
      ),
    },
    { title: 'WorkflowInstallationRequest', description: 'What is installed.' },
  ),
  bodyOptional: true,
  success: { status: 201, description: 'The installation.', schema: InstallationResource },
  repeated: 'The existing installation of the same version with the same parameters.',
  problems: [
    'not_found',
    'different_version_installed',
    'installation_superseded',
    'library_item_withdrawn',
    'entitlement_missing',
  ],
  async handle(call) {
    const { services, caller, params, body, fail } = call;
    const { version, parameters, replaces } = body;
    const { key } = params;
    if (!KEY.test(key)) fail('not_found', 'The library has no such workflow.');
    const input = { ...tenantOf(caller), key, version, parameters, replaces };
    return services.govern(call, installItem, input, {
      present: ({ result, existing }) => ({
        status: existing ? (200 as const) : (201 as const),
        body: presentInstallation(result, caller),
      }),
      refuse: problemOf,
    });
  },
});

function problemOf(refused: Denied<typeof installItem>): Problem {
  switch (refused.code) {
    case 'workspace_unknown':
    case 'library_item_unknown':
      return new Problem('not_found', refused.detail);
    case 'replaces_unknown': {
      const message = 'must be an installation of this workflow';
      return invalid([{ pointer: '/replaces', in: 'body', code: refused.code, message }]);
    }
    case 'parameters_invalid':
      return invalid(
        refused.faults.map(({ name, message }) => ({
          pointer: `/parameters/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`,
          in: 'body',
          code: 'parameter',
          message,
        })),
      );
    case 'entitlement_missing':
      return new Problem(refused.code, refused.detail, { members: { missing: refused.entitlements } });
    case 'different_version_installed':
    case 'installation_superseded': {
      const { uid, version } = refused.existing;
      return new Problem(refused.code, refused.detail, { members: { existing: { uid, version } } });
    }
    case 'library_item_withdrawn':
      return new Problem(refused.code, refused.detail);
  }
}
