import { LockMode } from '@mikro-orm/core';
import { newUid } from '#lib/core/id.ts';
import { prefixes } from '#lib/core/prefix.ts';
import { Refusal } from '#lib/core/refusal.ts';
import type { Em, Tenant } from '#lib/database/base.ts';
import { defineCommand, personOf, type Circumstances } from '#lib/governance/command.ts';
import { acquireNamedLock } from '#lib/governance/named-lock.query.ts';
import { unknownWorkspace } from '#lib/access/known-place.query.ts';
import { placeOfWorkspace } from '#lib/access/workspace.query.ts';
import { LqmModel } from '#lib/models/registry/lqm.entity.ts';
import type { LqmDefinition } from '#lib/models/registry/lqm.ts';
import { definitionFacts } from './definition-facts.query.ts';
import { writeVersion } from './new-version.write.ts';
import {
  decideDefinition,
  type DefinitionFacts,
  type DefinitionRefusal,
  type VersionRequest,
} from './version-definition.ts';

/**
 * A function that creates the dataset of a version in the transaction of the version, so that a refusal also undoes the
 * dataset. Returns the id of the dataset.
 */
export type MakeDataset = (em: Em, at: Circumstances) => Promise<number>;

type VersionInput = Omit<VersionRequest, 'dataset'> & { dataset: number | MakeDataset };

type Input = {
  place: Tenant;
  /**
   * Key of the model, unique in the workspace and environment. If a model with this key exists, its next version is
   * written.
   */
  key: string;
  name: string;
  version: VersionInput;
};

/** The facts of the decision. `definition` is undefined while the dataset of the version is not created yet. */
type Facts = { model: LqmModel | null; definition: DefinitionFacts | undefined };

type VersionVerdict =
  | { ok: true; definition?: LqmDefinition }
  | DefinitionRefusal
  | { ok: false; code: 'key_invalid' }
  | { ok: false; code: 'family_differs'; detail: string };

/**
 * Writes the next version of a numeric model. The first version creates the model. If the dataset must still be
 * created, it is created last, after all other checks have allowed the version.
 */
export const writeModelVersion = defineCommand<Input>()({
  find: async (em, { place }) => (await placeOfWorkspace(em, place.workspace)) && place,
  unknown: 'workspace_unknown',
  async lock(em, { key }, { workspace, environment }): Promise<LqmModel | null> {
    await acquireNamedLock(em, 'lqm_model', workspace, environment, key);
    return em.findOne(LqmModel, { key }, { lockMode: LockMode.PESSIMISTIC_WRITE });
  },
  async facts(em, model, { version: { dataset, ...rest } }): Promise<Facts> {
    if (typeof dataset !== 'number') return { model, definition: undefined };
    return { model, definition: await definitionFacts(em, { ...rest, dataset }) };
  },
  decide({ model, definition }, { key, version }): VersionVerdict {
    if (!/^[a-z][a-z0-9_]{0,63}$/.test(key)) return { ok: false, code: 'key_invalid' };
    const verdict: VersionVerdict = definition ? decideDefinition(version, definition) : { ok: true };
    if (!verdict.ok || !model || model.family === version.family) return verdict;
    const detail = `The key ${key} belongs to a model of the family ${model.family}. Use another key.`;
    return { ok: false, code: 'family_differs', detail };
  },
  async write(em, { model: known }, decided, at) {
    const { key, name, version } = at.input;
    const definition = decided.definition ?? (await definitionOnMade(em, version, at));
    const by = personOf(at);
    const model =
      known ??
      em.create(LqmModel, {
        uid: newUid(prefixes.lqmModel),
        workspaceUid: at.place.workspace,
        environment: at.place.environment,
        key,
        name,
        family: version.family,
        createdByUid: by,
        createdAt: at.now,
      });
    await em.flush();
    const written = await writeVersion(em, model, { definition, by, now: at.now });
    const { uid, version: number, contentHash } = written;
    return { result: { model: model.uid, versionUid: uid, version: number, contentHash, definition } };
  },
  entry: (_facts, _verdict, _input, result) =>
    result && {
      op: 'lqm.version_written',
      subject: { type: 'lqm_model', uid: result.model },
      details: { version: result.version, content_hash: result.contentHash },
    },
  refusals: {
    ...unknownWorkspace,
    key_invalid: 'A model key has only a-z, 0-9 and _, and begins with a letter.',
  },
});

/** Creates the dataset, and decides the definition of the version from the dataset. */
async function definitionOnMade(
  em: Em,
  { dataset: make, ...rest }: VersionInput,
  at: Circumstances,
): Promise<LqmDefinition> {
  const request = { ...rest, dataset: await (make as MakeDataset)(em, at) };
  const verdict = decideDefinition(request, await definitionFacts(em, request));
  if (!verdict.ok) throw new Refusal(verdict.code, verdict.detail);
  return verdict.definition;
}
