import { defineCommand, personOf } from '#lib/governance/command.ts';
import { acquireNamedLock } from '#lib/governance/named-lock.query.ts';
import { placeOfWorkspace, workspaceUnknown } from '#lib/access/workspace.query.ts';
import { decideMetric, type MetricDefinition } from './metric.ts';
import { OwnMetric } from './metric.entity.ts';

type Input = MetricDefinition & { workspace: string };

/** Defines a metric of a workspace. The definition never changes. */
export const defineMetric = defineCommand<Input>()({
  find: (em, { workspace }) => placeOfWorkspace(em, workspace),
  unknown: 'workspace_unknown',
  lock: (em, { name }, { workspace }) => acquireNamedLock(em, 'metric', workspace, name),
  async facts(em, _locked, { name }, { place: { workspace: workspaceUid } }) {
    return { isOwn: (await em.count(OwnMetric, { workspaceUid, name }, { filters: false })) > 0 };
  },
  decide: ({ isOwn }, { name }) => decideMetric(name, isOwn),
  async write(em, _facts, _verdict, at) {
    const { workspace: workspaceUid, ...definition } = at.input;
    em.create(OwnMetric, { ...definition, workspaceUid, createdByUid: personOf(at), createdAt: at.now });
    return { result: definition };
  },
  entry: (_facts, verdict, { name, unit, kind }) =>
    verdict.ok
      ? { op: 'metric.defined', subject: { type: 'metric', uid: name }, details: { unit, kind } }
      : undefined,
  refusals: {
    workspace_unknown: workspaceUnknown,
    invalid_metric:
      'A metric name must have 1 to 64 lower-case letters, digits and _, and begin with a letter.',
    metric_exists: 'The catalogue or the workspace already has a metric with this name.',
  },
});
