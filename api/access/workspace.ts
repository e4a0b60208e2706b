import Type from 'typebox';
import { serviceClasses, serviceClassLimits } from '#lib/database/base.ts';
import { Closed, Instant, Uid } from '#lib/core/schema.ts';
import { prefixes } from '#lib/core/prefix.ts';
import { scopes } from '#lib/core/scope.ts';
import { applicationStatuses } from '#lib/access/application.ts';
import { readProfile } from '#lib/access/profile.query.ts';
import { defineOperation } from '../services.ts';

const Scopes = Type.Array(Type.Enum([...scopes]), { description: 'Scopes.' });
const limit = (description: string) => Type.Integer({ minimum: 1, description, examples: [6_000] });

const WorkspaceProfile = Closed({
  uid: Uid(prefixes.workspace, 'The workspace.'),
  name: Type.String({ description: 'What its people call it.', examples: ['Acme Treasury'] }),
  environment: Type.Enum(['sandbox', 'production'], { description: 'The one that the credential is of.' }),
  region: Type.String({ description: 'Where its data are kept.', examples: ['local'] }),
  service_class: Type.Enum([...serviceClasses], { description: 'What it has been given room for.' }),
  time_zone: Type.String({
    description: 'IANA name; its calendar days and months are those of this zone.',
    examples: ['UTC'],
  }),
  created_at: Instant,
  application: Closed(
    {
      uid: Uid(prefixes.application, 'The application that calls.'),
      name: Type.String({ description: 'Its name.', examples: ['desk'] }),
      status: Type.Enum([...applicationStatuses], { description: 'Whether its credentials are accepted.' }),
      scopes: { ...Scopes, description: 'What this credential may do.' },
    },
    { description: 'Who calls.' },
  ),
  entitlements: { ...Scopes, description: 'What applications of the workspace may hold.' },
  controls: Closed(
    {
      production_access: Type.Enum(['enabled', 'disabled'], {
        description: 'Whether two persons have let the application into production.',
      }),
      financial_actions: Type.Enum(['active', 'frozen'], {
        description: 'Whether Financial Actions may be taken at all.',
      }),
    },
    { description: 'What no scope gives.' },
  ),
  limits: Closed(
    {
      requests: limit('Requests of an application in a minute.'),
      writes: limit('Of these, those that change something.'),
      submissions: limit('Of these, those that submit a run.'),
      workspace_requests: limit('Requests of all applications of the workspace in a minute.'),
      running_runs: limit('Runs of the workspace that compute at once; others wait.'),
    },
    { description: 'Of the service class.' },
  ),
});

export const getWorkspace = defineOperation({
  key: 'workspace.get',
  product: 'Workspace',
  method: 'GET',
  path: '/workspace',
  scope: 'workspace:read',
  summary: 'Tells who calls, in which workspace and environment, and what they may.',
  success: { status: 200, description: 'The workspace of the credential.', schema: WorkspaceProfile },
  problems: [],
  async handle({ services, caller }) {
    const { workspace, application, access } = await services.query(readProfile, caller);
    const { runningRuns, workspaceRequests, requests, writes, submissions } =
      serviceClassLimits[workspace.serviceClass];
    return {
      status: 200,
      body: {
        uid: workspace.uid,
        name: workspace.name,
        environment: caller.environment,
        region: workspace.region,
        service_class: workspace.serviceClass,
        time_zone: workspace.timeZone,
        created_at: workspace.createdAt.toISOString(),
        application: {
          uid: application.uid,
          name: application.name,
          status: application.status,
          scopes: scopes.filter((scope) => caller.scopes.has(scope)),
        },
        entitlements: scopes.filter((scope) => workspace.entitlements.includes(scope)),
        controls: {
          production_access: access?.state === 'approved' ? ('enabled' as const) : ('disabled' as const),
          financial_actions: workspace.financialActions,
        },
        limits: {
          requests,
          writes,
          submissions,
          workspace_requests: workspaceRequests,
          running_runs: runningRuns,
        },
      },
    };
  },
});
