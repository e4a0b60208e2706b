import type { Em } from '#lib/database/base.ts';
import { workspaceModels, type WorkspaceModel } from '#lib/quant/models/workspace-models.query.ts';
import { builtInModels, type BuiltInModel } from './built-in-models.ts';
import { runningOf } from './workspace-model.ts';

/** A model that a caller named: a built-in model or a numeric model of the workspace. */
export type FoundModel = { builtIn: BuiltInModel } | { own: WorkspaceModel };

/**
 * Returns the model with a key. A built-in model takes precedence over a model of the workspace with the same key. A
 * model of the workspace is also found by its uid. Returns undefined if there is no such model.
 */
export async function findModel(em: Em, key: string): Promise<FoundModel | undefined> {
  const builtIn = builtInModels().find((each) => each.key === key);
  if (builtIn) return { builtIn };
  const [own] = await workspaceModels(em, { named: key, limit: 1 });
  return own && { own };
}

/** Returns the kind of the runs of a model, and the members of their summaries that identify the model. */
export function runsOf(found: FoundModel): { kind: string; summary: Readonly<Record<string, unknown>> } {
  if ('builtIn' in found) return found.builtIn.counted;
  const { run, counted } = runningOf(found.own);
  return { kind: run.key, summary: counted(found.own) };
}
