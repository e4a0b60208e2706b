import type { Em, Tenant } from '#lib/database/base.ts';
import { defineCommand, personOf, type RefusalCode } from '#lib/governance/command.ts';
import { knownPlace, unknownWorkspace } from '#lib/access/known-place.query.ts';
import { chooseWording as writeChoice, type WordingChoice } from './wording.write.ts';

/** The facts that the command needs about a connection to an AI provider. */
type Connection = { uid: string; state: string; models: readonly string[] };

type Input = Tenant & {
  /**
   * The connection to the AI provider whose model writes the texts of sections; undefined if no model is to
   * write texts.
   */
  connection?: string | undefined;
  /** The model that writes the texts of sections. Default: the first model of the connection. */
  model?: string | undefined;
  /**
   * Returns a connection of the current tenant; undefined if it does not exist. The caller passes this function in,
   * because connections belong to another product.
   */
  findConnection(em: Em, uid: string): Promise<Connection | undefined>;
};

type ChoiceVerdict =
  | { ok: true; choice: WordingChoice | null }
  | { ok: false; code: 'connection_unknown' }
  | { ok: false; code: 'model_not_allowed'; detail: string };

/**
 * Sets whether a model writes the texts of the sections of a workspace's summary, and which model writes
 * them.
 */
export const chooseWording = defineCommand<Input>()({
  find: knownPlace,
  unknown: 'workspace_unknown',
  lock: async () => undefined,
  facts: async (em, _locked, { connection, findConnection }) =>
    connection === undefined ? undefined : await findConnection(em, connection),
  decide(found, { connection, model }): ChoiceVerdict {
    if (connection === undefined) return { ok: true, choice: null };
    if (found?.state !== 'active') return { ok: false, code: 'connection_unknown' };
    const chosen = model ?? found.models[0]!;
    if (found.models.includes(chosen)) return { ok: true, choice: { connection, model: chosen } };
    const detail = `The AI connection does not allow the model ${chosen}.`;
    return { ok: false, code: 'model_not_allowed', detail };
  },
  async write(em, _found, { choice }, at) {
    await writeChoice(em, choice, { by: personOf(at), now: at.now });
    return { result: undefined };
  },
  entry: (_found, verdict, { workspace }) =>
    verdict.ok
      ? {
          op: 'ai.wording_set',
          subject: { type: 'workspace', uid: workspace },
          details: { connection: verdict.choice?.connection ?? null, model: verdict.choice?.model ?? null },
        }
      : undefined,
  refusals: {
    ...unknownWorkspace,
    connection_unknown: 'The AI connection does not exist in this environment, or is not active.',
    model_not_allowed: 'The AI connection does not allow this model.',
  } satisfies Record<RefusalCode<ChoiceVerdict> | 'workspace_unknown', string>,
});
