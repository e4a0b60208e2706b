import Type from 'typebox';
import { Closed, Nullable } from '#lib/core/schema.ts';
import { serviceClasses, serviceClassLimits } from '#lib/database/base.ts';
import { defineOperation } from '../services.ts';

const text = (description: string, example: string) => Type.String({ description, examples: [example] });
const count = (description: string) => Type.Integer({ minimum: 0, description, examples: [600] });

const Target = (description: string, unit: string) =>
  Nullable(
    Closed(
      {
        target: Type.Integer({ minimum: 0, description: `The target, in ${unit}.`, examples: [9990] }),
        measured: Type.Null({ description: 'Not measured.' }),
      },
      { description },
    ),
    `${description} Null if no target is stated.`,
  );

const ServiceClassResource = Closed(
  {
    key: Type.Enum([...serviceClasses], { description: 'The service class.' }),
    name: text('The name of the service class.', 'Standard'),
    slo: Closed(
      {
        availability_bps: Target('Availability.', 'basis points'),
        p95_ms: Target('95th percentile of the response time.', 'milliseconds'),
        rpo_minutes: Target('Recovery point objective.', 'minutes'),
        rto_minutes: Target('Recovery time objective.', 'minutes'),
      },
      { title: 'ServiceObjectives', description: 'The stated targets. None is measured.' },
    ),
    limits: Closed(
      {
        requests_per_minute: count('Maximum number of requests per application and minute.'),
        writes_per_minute: count('Maximum number of write requests per application and minute.'),
        submissions_per_minute: count('Maximum number of run submissions per application and minute.'),
        workspace_requests_per_minute: count('Maximum number of requests per workspace and minute.'),
        concurrent_jobs: count('Maximum number of runs of the workspace that are computed at once.'),
        concurrent_waits: count('Maximum number of waiting requests per application and process.'),
        queued_jobs: count('Maximum number of unfinished runs per environment.'),
        queued_bytes: count('Maximum size of the inputs of unfinished runs per environment, in bytes.'),
      },
      {
        title: 'ServiceClassLimits',
        description: 'The enforced limits. The deployment file cannot change them.',
      },
    ),
    support: Nullable(text('Support.', 'Business days'), 'The stated support; null if none is stated.'),
    current: Type.Boolean({ description: 'Whether this is the class of the workspace.' }),
  },
  { title: 'ServiceClass', description: 'A service class with its targets and limits.' },
);

export const listServiceClasses = defineOperation({
  key: 'infrastructure.service_classes.list',
  product: 'Infrastructure',
  method: 'GET',
  path: '/infrastructure/service-classes',
  scope: 'infrastructure:read',
  summary: 'Lists the service classes with their limits and targets.',
  description:
    'Limits are enforced by the service. Targets and support come from the deployment file; they are null if not stated.',
  query: Closed({}),
  success: {
    status: 200,
    description: 'The service classes.',
    schema: Closed(
      { data: Type.Array(ServiceClassResource, { description: 'The service classes.' }) },
      { title: 'ServiceClasses', description: 'The service classes of the deployment.' },
    ),
  },
  problems: [],
  async handle({ services, caller }) {
    const data = serviceClasses.map((key) => {
      const stated = services.deployment.service_classes[key];
      const limits = serviceClassLimits[key];
      const target = (value: number | null | undefined) =>
        value === null || value === undefined ? null : { target: value, measured: null };
      return {
        key,
        name: stated?.name ?? `${key[0]!.toUpperCase()}${key.slice(1)}`,
        slo: {
          availability_bps: target(stated?.slo.availability_bps),
          p95_ms: target(stated?.slo.p95_ms),
          rpo_minutes: target(stated?.slo.rpo_minutes),
          rto_minutes: target(stated?.slo.rto_minutes),
        },
        limits: {
          requests_per_minute: limits.requests,
          writes_per_minute: limits.writes,
          submissions_per_minute: limits.submissions,
          workspace_requests_per_minute: limits.workspaceRequests,
          concurrent_jobs: limits.runningRuns,
          concurrent_waits: limits.waits,
          queued_jobs: limits.queuedRuns,
          queued_bytes: limits.queuedBytes,
        },
        support: stated?.support ?? null,
        current: caller.serviceClass === key,
      };
    });
    return { status: 200, body: { data } };
  },
});
