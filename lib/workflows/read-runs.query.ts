import { instantOf } from '#lib/core/clock.ts';
import { uidBodyMin } from '#lib/core/id.ts';
import { prefixes } from '#lib/core/prefix.ts';
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
  until?: Date | undefined;
  /** The installation from which the version of the run was proposed. */
  installation?: string | undefined;
  after?: string | undefined;
  limit: number;
};

/** The largest difference between the time in the uid of a run and its time of creation, in milliseconds. */
const CLOCKS_MS = 86_400_000;

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
  const { uid, state, key, since, until, installation, after, limit } = question;
  const versionUids = installation === undefined ? undefined : await versionsOf(em, installation);
  const runs = await em.find(
    WorkflowRun,
    {
      ...(uid ? { uid } : {}),
      ...(state ? { state } : {}),
      ...(key ? { workflowKey: key } : {}),
      ...(versionUids ? { versionUid: { $in: versionUids } } : {}),
      $and: [
        ...(after ? [{ uid: { $lt: after } }] : []),
        ...(since ? [{ createdAt: { $gte: since } }, { uid: { $gte: uidAt(since, -CLOCKS_MS) } }] : []),
        ...(until ? [{ createdAt: { $lt: until } }, { uid: { $lt: uidAt(until, CLOCKS_MS) } }] : []),
      ],
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

/** Returns the uids of the versions that were proposed from an installation of the current tenant. */
async function versionsOf(em: Em, installationUid: string): Promise<string[]> {
  const found = await em.find(WorkflowVersion, { installationUid }, { fields: ['uid'] });
  return found.map(({ uid }) => uid);
}

/**
 * Returns the smallest uid of a run that can be created at a time near an instant. Uids sort by time, so that a bound
 * on the uid lets the index skip the runs outside a period. An instant outside the range of uids is replaced by the
 * nearest end of the range.
 */
function uidAt(instant: Date, offsetMs: number): string {
  const time = Math.min(Math.max(instant.getTime() + offsetMs, 0), 2 ** 48 - 1);
  return `${prefixes.workflowRun}_${uidBodyMin(instantOf(time))}`;
}
