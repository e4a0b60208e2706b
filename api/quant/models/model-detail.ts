import type { Static } from 'typebox';
import type { RunKind } from '#lib/core/run.ts';
import { tenantOf, type Em } from '#lib/database/base.ts';
import { presentLqm } from '#lib/models/registry/lqm-card.ts';
import { findLqms, type LqmInVersion } from '#lib/models/registry/lqm.query.ts';
import { servingPeriods, type ServingPeriod } from '#lib/models/registry/lqm-serving.query.ts';
import {
  registeredHistory,
  registeredModels,
  type RegisteredHistory,
} from '#lib/models/registry/registered-models.query.ts';
import { uses } from '#lib/models/training/model-card.ts';
import { newestDrift } from '#lib/models/training/model-card.query.ts';
import { SealedRun } from '#lib/pipeline/run.schema.ts';
import { countSealedRuns } from '#lib/quant/models/sealed-runs.query.ts';
import type { WorkspaceModel } from '#lib/quant/models/workspace-models.query.ts';
import type { BuiltInModel } from './built-in-models.ts';
import { runsOf } from './find-model.ts';
import type { RunnableModelDetail } from './model-detail.schema.ts';
import { presentBuiltIn, presentWorkspaceModel } from './model-presenter.ts';
import { runningOf } from './workspace-model.ts';

type Detail = Static<typeof RunnableModelDetail>;

/** The maximum number of versions and of periods that are shown. */
const HISTORY_MAX = 200;

/** Returns everything known about a built-in model. */
export async function builtInDetail(em: Em, model: BuiltInModel): Promise<Detail> {
  const { workspace } = tenantOf(em);
  const found = (await registeredModels(em)).get(model.registered);
  const history = await registeredHistory(em, model.registered, workspace);
  return {
    ...presentBuiltIn(model, found),
    description: found?.description ?? model.title,
    intended_use: null,
    limits: [...model.limits],
    refusals: refusalsOf(model.run),
    schemas: { input: model.input, output: SealedRun(model.run) },
    versions: registeredVersions(history, found?.serving ?? null),
    alias_history: registeredAliases(history),
    card: null,
    drift: null,
    sealed_runs: await countSealedRuns(em, runsOf({ builtIn: model })),
  };
}

/** Returns everything known about a numeric model of the workspace. */
export async function workspaceModelDetail(em: Em, model: WorkspaceModel): Promise<Detail> {
  const { run, input } = runningOf(model);
  const versions = await findLqms(em, { model: model.uid, limit: HISTORY_MAX });
  const periods = await servingPeriods(em, model.uid);
  const shown = versions.find(({ version }) => version === model.serving) ?? versions[0];
  const drift = shown && (await newestDrift(em, shown.versionUid));
  return {
    ...presentWorkspaceModel(model),
    description: model.name,
    intended_use: uses[model.family].intended_use,
    limits: [...uses[model.family].limits],
    refusals: refusalsOf(run),
    schemas: { input, output: SealedRun(run) },
    versions: versions.map((each) => presentVersion(each, model.serving)),
    alias_history: periods.slice(0, HISTORY_MAX).map(presentPeriod),
    card: shown ? presentLqm(shown) : null,
    drift: drift
      ? {
          assessment_uid: drift.assessment_uid,
          severity: drift.severity,
          performance: drift.performance,
          assessed_at: drift.assessed_at,
        }
      : null,
    sealed_runs: await countSealedRuns(em, runsOf({ own: model })),
  };
}

function refusalsOf({ refusals, problems }: RunKind): string[] {
  return [...new Set<string>([...refusals, ...problems, 'model_not_approved'])].sort() as never;
}

function registeredVersions({ versions }: RegisteredHistory, serving: string | null): Detail['versions'] {
  return versions.map(({ version, state, authoredBy, approvedBy, approvedAt, createdAt }) => ({
    version,
    state,
    serves: version === serving,
    content_hash: null,
    author: authoredBy,
    approved_by: approvedBy ?? null,
    approved_at: approvedAt?.toISOString() ?? null,
    retired_at: null,
    created_at: createdAt.toISOString(),
  }));
}

/**
 * Returns the versions chosen by the platform and by the workspace. Each choice ends when the same party makes its next
 * choice.
 */
function registeredAliases({ aliases }: RegisteredHistory): Detail['alias_history'] {
  return aliases.map(({ version, workspaceUid, since, setBy }, at) => {
    const next = aliases.slice(0, at).findLast((each) => each.workspaceUid === workspaceUid);
    return {
      version: version ?? null,
      chosen_by: workspaceUid ? 'workspace' : 'platform',
      since: since.toISOString(),
      until: next?.since.toISOString() ?? null,
      set_by: setBy,
    };
  });
}

function presentVersion(found: LqmInVersion, serving: number | null): Detail['versions'][number] {
  return {
    version: String(found.version),
    state: found.state,
    serves: found.version === serving,
    content_hash: found.contentHash,
    author: found.authorUid,
    approved_by: found.approvedBy,
    approved_at: found.approvedAt,
    retired_at: found.retiredAt,
    created_at: found.createdAt,
  };
}

function presentPeriod({ version, since, until, setBy }: ServingPeriod): Detail['alias_history'][number] {
  return { version: String(version), chosen_by: 'workspace', since, until, set_by: setBy };
}
