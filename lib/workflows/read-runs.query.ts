import type { Em, Tenant } from '#lib/database/base.ts';
import { placeOfRecord } from '#lib/governance/place-of-record.query.ts';
import { costOf } from './cost.ts';
import { costsOf } from './meter.write.ts';
import type { WorkflowRunState } from './run-states.ts';
import { WorkflowRun, WorkflowStep } from './workflow-run.entity.ts';
import { WorkflowVersion } from './workflow-version.entity.ts';

/** A run with its steps in order, its version, and its cost so far. */
export type FoundRun = {
  run: WorkflowRun;
  version: Pick<WorkflowVersion, 'key' | 'version' | 'digest'>;
  steps: WorkflowStep[];
  cost: ReturnType<typeof costOf>;
};

export type RunsQuestion = {
  uid?: string | undefined;
  state?: WorkflowRunState | undefined;
  key?: string | undefined;
  since?: Date | undefined;
  after?: string | undefined;
  limit: number;
};

/** Returns the newest workflow runs of the current tenant. */
export function newestRuns(em: Em, limit: number): Promise<FoundRun[]> {
  return findRuns(em, { limit });
}

/** Returns the workspace and environment of a workflow run. For operators: reads all workspaces. */
export function placeOfRun(em: Em, uid: string): Promise<Tenant | undefined> {
  return placeOfRecord(em, WorkflowRun, uid);
}

/** Lists workflow runs of the current tenant, newest first. */
export async function findRuns(em: Em, question: RunsQuestion): Promise<FoundRun[]> {
  const { uid, state, key, since, after, limit } = question;
  const runs = await em.find(
    WorkflowRun,
    {
      ...(uid ? { uid } : {}),
      ...(after ? { uid: { $lt: after } } : {}),
      ...(state ? { state } : {}),
      ...(key ? { workflowKey: key } : {}),
      ...(since ? { createdAt: { $gte: since } } : {}),
    },
    { orderBy: { uid: 'desc' }, limit, refresh: true },
  );
  const uids = runs.map((run) => run.uid);
  const steps = await em.find(
    WorkflowStep,
    { runUid: { $in: uids } },
    { orderBy: { position: 'asc' }, refresh: true },
  );
  const versions = await em.find(WorkflowVersion, { uid: { $in: runs.map(({ versionUid }) => versionUid) } });
  const costs = await costsOf(em, uids);
  return runs.map((run) => ({
    run,
    version: versions.find((each) => each.uid === run.versionUid)!,
    steps: steps.filter(({ runUid }) => runUid === run.uid),
    cost: costOf(
      costs
        .filter((each) => each.run === run.uid)
        .map(({ currency, micro }) => ({ currency, micro: BigInt(micro) })),
    ),
  }));
}
