import type { Em } from '#lib/database/base.ts';
import { lqmFamilies, type LqmFamily } from '#lib/registry/lqm.ts';
import { findLqms } from '#lib/registry/lqm.repository.ts';
import { MEMBERS_MAX, type PredictionTask, type SingleFit } from '#lib/registry/prediction.schema.ts';
import { words } from './options.ts';
import { Refusal } from '#lib/core/refusal.ts';

/** What a model predicts, and the columns that it has. */
export type PredictedColumns = { target: string; horizon: number; factors: readonly string[] };

type Ensemble = Extract<PredictionTask['fit'], { family: 'ensemble' }>;
type Member = Ensemble['members'][number];

const SUM_MISSES = 1e-9;

/** The members of an ensemble, such as `ridge=0.6,trend@2=0.4`: families that it fits itself, and versions as they are. */
export async function ensembleOf(
  em: Em,
  text: string | undefined,
  of: PredictedColumns,
  fitOf: (family: LqmFamily) => SingleFit,
): Promise<Ensemble> {
  const named = words(text ?? '');
  if (named.length < 2 || named.length > MEMBERS_MAX)
    throw new Refusal('members_invalid', `an ensemble has 2 to ${MEMBERS_MAX} members: --members a,b`);
  const members: Member[] = [];
  for (const word of named) {
    const [, name, weight] = /^([^=]+)(?:=([0-9.]+))?$/.exec(word) ?? [];
    if (name === undefined) throw new Refusal('members_invalid', `${word} is no member`);
    members.push({
      ...(name.includes('@') ? await versionMember(em, name, of) : fittedMember(name, of, fitOf)),
      weight: weight === undefined ? null : Number(weight),
    });
  }
  if (new Set(members.map(({ name }) => name)).size < members.length)
    throw new Refusal('members_invalid', 'a member is named twice');
  checkWeights(members.map(({ weight }) => weight));
  return { family: 'ensemble', members };
}

function fittedMember(name: string, { factors }: PredictedColumns, fitOf: (family: LqmFamily) => SingleFit) {
  const family = lqmFamilies.find((each) => each === name);
  if (!family) throw new Refusal('members_invalid', `${name} is neither a family nor key@version`);
  return { name, factors: [...factors], version: null, fit: fitOf(family) };
}

/** A version is a member with its sealed checkpoint: it tells the same target, as far ahead, from columns that are there. */
async function versionMember(em: Em, name: string, { target, horizon, factors }: PredictedColumns) {
  const [key, number] = name.split('@') as [string, string];
  const [found] = /^[1-9]\d{0,8}$/.test(number) ? await findLqms(em, { key, version: Number(number) }) : [];
  const refuse = (why: string) => new Refusal('member_ineligible', `${name} ${why}`);
  if (!found) throw refuse('is no version of a model of the workspace');
  const { prediction, columns } = found.definition;
  if (!prediction || prediction.fit.family === 'ensemble') throw refuse('is no single model that predicts');
  if (prediction.target !== target || prediction.horizon !== horizon)
    throw refuse(`predicts ${prediction.target} ${prediction.horizon} rows ahead`);
  if (found.state === 'retired' || !found.trainingUid || !found.checkpointHash)
    throw refuse(found.state === 'retired' ? 'is retired' : 'is not trained');
  const own = columns.map((column) => column.name);
  const missing = own.find((column) => !factors.includes(column));
  if (missing) throw refuse(`reads ${missing}, which the ensemble does not have`);
  return {
    name,
    factors: own,
    version: {
      model_uid: found.modelUid,
      version_uid: found.versionUid,
      version: found.version,
      content_hash: found.contentHash,
      training_uid: found.trainingUid,
      checkpoint_hash: found.checkpointHash,
    },
    fit: prediction.fit,
  };
}

function checkWeights(weights: readonly (number | null)[]): void {
  const stated = weights.filter((weight) => weight !== null);
  if (stated.length === 0) return;
  const total = stated.reduce((sum, weight) => sum + weight, 0);
  if (stated.length < weights.length || !(Math.abs(total - 1) <= SUM_MISSES))
    throw new Refusal('weights_invalid', 'either no member has a weight, or all have and they add up to 1');
}
