import Type from 'typebox';
import { Closed, ListOf, pageQuery } from '#lib/core/schema.ts';
import { findInstallations } from '#lib/workflows/catalogue/installation.query.ts';
import { WorkflowKey } from '#lib/workflows/definition.schema.ts';
import { listReply } from '../http/page.ts';
import { defineOperation } from '../services.ts';
import { InstallationResource, presentInstallation } from './installation.schema.ts';

const PATH = '/workflows/installations';

export const listInstallations = defineOperation({
  key: 'workflows.installations.list',
  product: 'Workflows',
  method: 'GET',
  path: PATH,
  scope: 'workflow:read',
  addition: true,
  summary: 'Lists the installations of library workflows, newest first.',
  description: 'The list includes installations that were replaced or removed.',
  query: Closed({
    ...pageQuery,
    workflow_key: Type.Optional({
      ...WorkflowKey,
      description: 'Returns only installations of this workflow.',
    }),
  }),
  success: { status: 200, description: 'A page of installations.', schema: ListOf(InstallationResource) },
  problems: ['invalid_cursor'],
  handle: ({ services, query, caller }) =>
    listReply(services, query, {
      list: PATH,
      filters: { workflow_key: query.workflow_key ?? null },
      hasLargeRows: true,
      rows: (em, page) => findInstallations(em, { ...page, key: query.workflow_key }),
      present: (found) => presentInstallation(found, caller),
    }),
});
