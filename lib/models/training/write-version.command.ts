import { LockMode } from '@mikro-orm/core';
import { newUid } from '#lib/core/id.ts';
import { prefixes } from '#lib/core/prefix.ts';
import type { Tenant } from '#lib/database/base.ts';
import { defineCommand, personOf } from '#lib/governance/command.ts';
import { takeTurns } from '#lib/governance/take-turns.query.ts';
import { unknownWorkspace } from '#lib/access/known-place.query.ts';
import { placeOfWorkspace } from '#lib/access/workspace.query.ts';
import { LqmModel } from '#lib/models/registry/lqm.entity.ts';
import { definitionFacts } from './definition-facts.query.ts';
import { writeVersion } from './new-version.repository.ts';
import {
  decideDefinition,
  type DefinitionFacts,
  type DefinitionVerdict,
  type VersionRequest,
} from './version-definition.ts';

type Input = {
  place: Tenant;
  /** Unique in the workspace and environment; the same key again is the next version of the model. */
  key: string;
  name: string;
  version: VersionRequest;
};

type Facts = { model: LqmModel | null; definition: DefinitionFacts };

type VersionVerdict =
  | DefinitionVerdict
  | { ok: false; code: 'key_invalid' }
  | { ok: false; code: 'family_differs'; detail: string };

/** Writes the next version of a numeric model; the first makes the model. */
export const writeModelVersion = defineCommand<Input>()({
  find: async (em, { place }) => (await placeOfWorkspace(em, place.workspace)) && place,
  unknown: 'workspace_unknown',
  async lock(em, { key }, { workspace, environment }): Promise<LqmModel | null> {
    await takeTurns(em, 'lqm_model', workspace, environment, key);
    return em.findOne(LqmModel, { key }, { lockMode: LockMode.PESSIMISTIC_WRITE });
  },
  facts: async (em, model, { version }): Promise<Facts> => ({
    model,
    definition: await definitionFacts(em, version),
  }),
  decide({ model, definition }, { key, version }): VersionVerdict {
    if (!/^[a-z][a-z0-9_]{0,63}$/.test(key)) return { ok: false, code: 'key_invalid' };
    const verdict = decideDefinition(version, definition);
    if (!verdict.ok || !model || model.family === version.family) return verdict;
    const detail = `The model ${key} is of the family ${model.family}. Use another key.`;
    return { ok: false, code: 'family_differs', detail };
  },
  async write(em, { model: known }, { definition }, at) {
    const { key, name, version } = at.input;
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
    return { result: { model: model.uid, versionUid: uid, version: number, contentHash } };
  },
  entry: (_facts, _verdict, _input, result) =>
    result && {
      op: 'lqm.version_written',
      subject: { type: 'lqm_model', uid: result.model },
      details: { version: result.version, content_hash: result.contentHash },
    },
  refusals: {
    ...unknownWorkspace,
    key_invalid: 'The key of a model is a word of a-z, 0-9 and _ that begins with a letter.',
  },
});
