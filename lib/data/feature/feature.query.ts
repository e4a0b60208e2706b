import type { Em } from '#lib/database/base.ts';
import { featureContextAsOf } from '../feature-context.query.ts';
import {
  findFeature,
  listFeatures,
  newestMaterialisations,
  valuesAsOf,
  versionsOf,
  type FeatureRow,
  type ListQuestion,
  type MaterialisationRow,
  type ValueQuestion,
  type ValueRow,
  type VersionRow,
} from './read.query.ts';
import { latestVersions } from './version.query.ts';

export type FeatureWithVersions = { row: FeatureRow; versions: VersionRow[] };

/** Lists the features of a workspace, newest first, each with its versions, latest first. */
export async function featuresWithVersions(em: Em, question: ListQuestion): Promise<FeatureWithVersions[]> {
  const rows = await listFeatures(em, question);
  const versions = await versionsOf(
    em,
    rows.map(({ uid }) => uid),
  );
  return rows.map((row) => ({ row, versions: versions.filter((each) => each.feature_uid === row.uid) }));
}

export type FeatureState = FeatureWithVersions & {
  newest: MaterialisationRow | undefined;
  succeeded: MaterialisationRow | undefined;
};

/**
 * Returns a feature with its versions, and the newest materialisations of the latest version; undefined if the feature
 * does not exist.
 */
export async function featureState(
  em: Em,
  workspace: string,
  key: string,
): Promise<FeatureState | undefined> {
  const row = await findFeature(em, workspace, key);
  if (!row) return undefined;
  const versions = await versionsOf(em, [row.uid]);
  return { row, versions, ...(await newestMaterialisations(em, versions[0]!.id)) };
}

/** Returns the given or the latest version of a feature, with the state of its values. */
export async function versionState(
  em: Em,
  { workspace, key, version }: { workspace: string; key: string; version?: number | undefined },
): Promise<(VersionRow & { state: string }) | undefined> {
  const row = await findFeature(em, workspace, key);
  const versions = row ? await versionsOf(em, [row.uid]) : [];
  const chosen = versions.find((each) => version === undefined || each.version === version);
  return chosen && { ...chosen, state: await stateOf(em, chosen.id) };
}

/** Lists values as `valuesAsOf` does. Throws if the state of the values differs from `seen`. */
export async function valuesInState(
  em: Em,
  question: ValueQuestion,
  seen: string | undefined,
): Promise<ValueRow[]> {
  if (seen !== undefined && (await stateOf(em, question.versionId)) !== seen) {
    throw new Error('the values changed while they were read');
  }
  return valuesAsOf(em, question);
}

/** Returns a text that changes whenever the values of a version may have changed. */
async function stateOf(em: Em, versionId: number): Promise<string> {
  const { newest } = await newestMaterialisations(em, versionId);
  return JSON.stringify([versionId, newest?.uid, newest?.rows_written]);
}

export type ContextRequest = Omit<Parameters<typeof featureContextAsOf>[1], 'versions'> & {
  workspace: string;
  /** Keys of features. Default: all active features. */
  wanted: readonly string[] | undefined;
};

/**
 * Checks, for the latest version of each feature, whether its newest event is recent enough, and whether the newest
 * events of all features are close to each other in time. If a key is unknown, returns the first unknown key instead.
 */
export async function featureContext(em: Em, { workspace, wanted, ...question }: ContextRequest) {
  const found = await latestVersions(em, workspace, wanted);
  const byKey = new Map(found.map((each) => [each.feature, each]));
  const unknown = wanted?.find((key) => !byKey.has(key));
  if (unknown !== undefined) return { ok: false as const, unknown };
  const versions = wanted?.map((key) => byKey.get(key)!) ?? found;
  const context = await featureContextAsOf(em, { ...question, versions });
  return { ok: true as const, context, features: versions.map(({ feature }) => feature) };
}
