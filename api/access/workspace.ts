import Type from 'typebox';
import { serviceClasses, serviceClassLimits } from '#lib/database/base.ts';
import { Closed, Instant, Uid } from '#lib/core/schema.ts';
import { prefixes } from '#lib/core/prefix.ts';
import { scopes } from '#lib/core/scope.ts';
import { applicationStatuses } from '#lib/access/application.ts';
import { readProfile } from '#lib/access/profile.query.ts';
import { defineOperation } from '../services.ts';

const Scopes = Type.Array(Type.Enum([...scopes]), { description: 'A list of scopes.' });
const limit = (description: string) => Type.Integer({ minimum: 1, description, examples: [6_000] });

const WorkspaceProfile = Closed({
  uid: Uid(prefixes.workspace, 'The uid of the workspace.'),
  name: Type.String({ description: 'The name of the workspace.', examples: ['Acme Treasury'] }),
  environment: Type.Enum(['sandbox', 'production'], { description: 'The environment of the credential.' }),
  region: Type.String({ description: 'The region where the data is stored.', examples: ['local'] }),
  service_class: Type.Enum([...serviceClasses], {
    description: 'The service class, which determines the limits.',
  }),
  time_zone: Type.String({
    description: 'The time zone, as an IANA name. Calendar days and months of the workspace use it.',
    examples: ['UTC'],
  }),
  created_at: Instant,
  application: Closed(
    {
      uid: Uid(prefixes.application, 'The application that makes the request.'),
      name: Type.String({ description: 'The name of the application.', examples: ['desk'] }),
      status: Type.Enum([...applicationStatuses], {
        description: 'Whether the credentials of the application are accepted.',
      }),
      scopes: { ...Scopes, description: 'The scopes of this credential.' },
    },
    { description: 'The application that makes the request.' },
  ),
  entitlements: { ...Scopes, description: 'The scopes that applications of the workspace may hold.' },
  controls: Closed(
    {
      production_access: Type.Enum(['enabled', 'disabled'], {
        description: 'Whether two persons have approved production access for the application.',
      }),
      financial_actions: Type.Enum(['active', 'frozen'], {
        description: 'Whether financial actions are allowed or frozen in the workspace.',
      }),
    },
    { description: 'Restrictions that apply in addition to the scopes.' },
  ),
  limits: Closed(
    {
      requests: limit('Maximum number of requests per minute of one application.'),
      writes: limit(
        'Maximum number of write requests per minute of one application. They also count towards `requests`.',
      ),
      submissions: limit(
        'Maximum number of run submissions per minute of one application. They also count towards `requests`.',
      ),
      workspace_requests: limit(
        'Maximum number of requests per minute of all applications of the workspace together.',
      ),
      running_runs: limit(
        'Maximum number of runs of the workspace that are computed at the same time. Further runs wait.',
      ),
    },
    { description: 'The limits of the service class.' },
  ),
});

export const getWorkspace = defineOperation({
  key: 'workspace.get',
  product: 'Workspace',
  method: 'GET',
  path: '/workspace',
  scope: 'workspace:read',
  summary: 'Returns the calling application, its workspace and environment, and its permissions.',
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
