import { canonicalHash } from '#lib/core/seal.ts';
import type { ScenarioInput } from './scenarios.schema.ts';

type Named = Pick<
  ScenarioInput,
  'model_uid' | 'version_uid' | 'version' | 'content_hash' | 'training_uid' | 'checkpoint_hash' | 'context'
>;

/**
 * Returns the hashes of a run: of the model checkpoint, of the context, of the request without checkpoint and context,
 * and of the outputs. Also returns one hash over all of these hashes and the recipe. The same run has the same hashes
 * in every workspace.
 */
export function runHashes<Found extends Record<string, string>>(
  input: Named & { training_set?: unknown; model_key?: string },
  found: Found,
  recipe: string,
) {
  const {
    context,
    checkpoint_hash,
    model_uid: _model,
    version_uid: _uid,
    version: _version,
    content_hash: _content,
    training_uid: _training,
    training_set: _set,
    model_key: _key,
    ...requested
  } = input;
  const parts = {
    model_hash: checkpoint_hash,
    feature_context_hash: canonicalHash(context),
    input_hash: canonicalHash(requested),
    ...found,
  };
  return { ...parts, run_hash: canonicalHash({ ...parts, recipe }) };
}
