import { lqmFamilies, type LqmFamily } from '#lib/models/registry/lqm.ts';
import type { LqmInVersion } from '#lib/models/registry/lqm.query.ts';
import { MEMBERS_MAX, type PredictionTask, type SingleFit } from '#lib/models/registry/prediction.schema.ts';

/** The target and horizon of a prediction, and the columns that the prediction uses. */
export type PredictedColumns = { target: string; horizon: number; factors: readonly string[] };

/**
 * A member of an ensemble. Its name is either a model family, which the ensemble fits itself, or a model version
 * `key@version`.
 */
export type NamedMember = { name: string; weight: number | null };

export type Fits = Partial<Record<LqmFamily, SingleFit>>;

type Ensemble = Extract<PredictionTask['fit'], { family: 'ensemble' }>;
type Member = Omit<Ensemble['members'][number], 'weight'>;

export type FitRefusal = {
  ok: false;
  code: 'members_invalid' | 'member_ineligible' | 'weights_invalid' | 'family_invalid' | 'horizon_invalid';
  detail: string;
};

const WEIGHTS_MISS_MAX = 1e-9;

function refused(code: FitRefusal['code'], detail: string): FitRefusal {
  return { ok: false, code, detail };
}

/** Returns the settings for fitting a single family. `fits` lists the families that can be fitted. */
export function singleFit(
  family: LqmFamily,
  fits: Fits,
  { horizon }: Pick<PredictedColumns, 'horizon'>,
): { ok: true; fit: SingleFit } | FitRefusal {
  if (family === 'var' && horizon === 0) {
    return refused(
      'horizon_invalid',
      'A vector autoregression predicts later rows. Use --horizon 1 or more.',
    );
  }
  const fit = fits[family];
  return fit
    ? { ok: true, fit }
    : refused('family_invalid', `The family ${family} cannot be fitted on its own.`);
}

/**
 * Returns the members of an ensemble: 2 to 8 distinct members. `versions` are the versions that `key@version` names.
 */
export function ensembleFit(
  named: readonly NamedMember[],
  of: PredictedColumns,
  { fits, versions }: { fits: Fits; versions: ReadonlyMap<string, LqmInVersion> },
): { ok: true; fit: Ensemble } | FitRefusal {
  if (named.length < 2 || named.length > MEMBERS_MAX) {
    return refused(
      'members_invalid',
      `An ensemble has 2 to ${MEMBERS_MAX} members, for example --members a,b`,
    );
  }
  const members: Ensemble['members'] = [];
  for (const { name, weight } of named) {
    const member = name.includes('@')
      ? versionMember(name, versions.get(name), of)
      : fittedMember(name, of, fits);
    if (!member.ok) return member;
    members.push({ ...member.member, weight });
  }
  if (new Set(members.map(({ name }) => name)).size < members.length) {
    return refused('members_invalid', 'A member of the ensemble is named twice.');
  }
  return areWeights(members.map(({ weight }) => weight))
    ? { ok: true, fit: { family: 'ensemble', members } }
    : refused('weights_invalid', 'Give a weight to every member or to none. The weights must sum to 1.');
}

type Found = { ok: true; member: Member } | FitRefusal;

function fittedMember(name: string, of: PredictedColumns, fits: Fits): Found {
  const family = lqmFamilies.find((each) => each === name);
  if (!family) return refused('members_invalid', `${name} is neither a model family nor a key@version.`);
  const single = singleFit(family, fits, of);
  if (!single.ok) return single;
  return { ok: true, member: { name, factors: [...of.factors], version: null, fit: single.fit } };
}

/**
 * Returns a version as a member with its sealed checkpoint. The version must predict the same target and horizon as the
 * ensemble, and may use only columns of the ensemble.
 */
function versionMember(
  name: string,
  found: LqmInVersion | undefined,
  { target, horizon, factors }: PredictedColumns,
): Found {
  const refuseMember = (why: string) => refused('member_ineligible', `${name} ${why}.`);
  if (!found) return refuseMember('is not a version of a model of the workspace');
  const { prediction, columns } = found.definition;
  if (!prediction || prediction.fit.family === 'ensemble') {
    return refuseMember('is an ensemble, or does not predict a target');
  }
  if (prediction.target !== target || prediction.horizon !== horizon) {
    return refuseMember(`predicts ${prediction.target} ${prediction.horizon} rows ahead`);
  }
  if (found.state === 'retired') return refuseMember('is retired');
  if (!found.trainingUid || !found.checkpointHash) return refuseMember('is not trained');
  const own = columns.map((column) => column.name);
  const missing = own.find((column) => !factors.includes(column));
  if (missing) return refuseMember(`uses the column ${missing}, which the ensemble does not have`);
  const version = {
    model_uid: found.modelUid,
    version_uid: found.versionUid,
    version: found.version,
    content_hash: found.contentHash,
    training_uid: found.trainingUid,
    checkpoint_hash: found.checkpointHash,
  };
  return { ok: true, member: { name, factors: own, version, fit: prediction.fit } };
}

function areWeights(weights: readonly (number | null)[]): boolean {
  const stated = weights.filter((weight) => weight !== null);
  if (stated.length === 0) return true;
  const total = stated.reduce((sum, weight) => sum + weight, 0);
  return stated.length === weights.length && Math.abs(total - 1) <= WEIGHTS_MISS_MAX;
}
