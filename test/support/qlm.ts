import { inTenant } from '#lib/database/orm.ts';
import type { LqmChoice } from '#lib/qlms/registry/definition.query.ts';
import type { WrittenProfile } from '#lib/qlms/registry/profile.schema.ts';
import { importSuite } from '#lib/qlms/registry/import-suite.command.ts';
import { QlmServing, QlmVersion } from '#lib/qlms/registry/qlm.entity.ts';
import { changeQlm, createQlm } from '#lib/qlms/registry/write-version.command.ts';
import type { Backend } from './backends.ts';
import type { Tenancy } from './build.ts';
import { clientOf } from './client.ts';
import { doneAs } from './command.ts';

/** A profile of the domains `economics` and `companies`. */
export const economicProfile: WrittenProfile = {
  purpose: 'Answers questions about economic series.',
  domains: ['economics', 'companies'],
};

let count = 0;

/** Creates a question model with its first version, which is not a serving version. Returns the version. */
export async function createQuestionModel(
  backend: Pick<Backend, 'orm'>,
  { workspace, environment, person }: Tenancy,
  written: WrittenProfile = economicProfile,
  lqm: LqmChoice | null = null,
): Promise<QlmVersion> {
  count += 1;
  const input = { workspace, environment, key: `desk_${count}`, name: 'Desk', written, lqm };
  return (await doneAs(backend, person, createQlm, input)).result;
}

/** Imports a suite of one question that the suite expects to be refused. Returns the uid of the suite. */
export async function importOneCase(
  backend: Pick<Backend, 'orm'>,
  { workspace, environment, person }: Tenancy,
): Promise<string> {
  const one = {
    id: 'one',
    tags: [],
    question: 'What was the zorblax?',
    expect: { outcome: 'refused', code: 'not_understood' },
  };
  const input = { workspace, environment, key: 'gate', text: JSON.stringify(one) };
  return (await doneAs(backend, person, importSuite, input)).result.suite.uid;
}

/**
 * Creates a question model whose serving version was not evaluated, for tests of questions. The serving entry is
 * written as an operator's row, because the command needs a passed evaluation.
 */
export async function servingQuestionModel(
  backend: Pick<Backend, 'orm'>,
  tenancy: Tenancy,
  written: WrittenProfile = economicProfile,
  lqm: LqmChoice | null = null,
): Promise<string> {
  const version = await createQuestionModel(backend, tenancy, written, lqm);
  await inTenant(backend.orm('operator'), tenancy, async (em) => {
    em.create(QlmServing, {
      workspaceUid: tenancy.workspace,
      environment: tenancy.environment,
      modelUid: version.modelUid,
      versionUid: version.uid,
      state: 'serving',
      reason: null,
      setByUid: tenancy.person,
      since: new Date(),
    });
  });
  return version.modelUid;
}

/** Asks a new question model some questions. Returns the question model and the last answer. */
export async function createQuestionAnswers(
  backend: Pick<Backend, 'orm' | 'url'>,
  tenancy: Tenancy,
  number: number,
): Promise<{ model: string; answer: string }> {
  const model = await servingQuestionModel(backend, tenancy);
  let answer = '';
  for (let at = 0; at < number; at += 1) {
    const question = 'What was the zorblax?';
    answer = (await clientOf(backend, tenancy.key).post(`/qlms/${model}/invoke`, { question })).body.uid;
  }
  return { model, answer };
}

/** Creates a question model with some versions. Returns its uid. */
export async function createQuestionModelVersions(
  backend: Pick<Backend, 'orm'>,
  tenancy: Tenancy,
  number: number,
): Promise<string> {
  const { modelUid: model } = await createQuestionModel(backend, tenancy);
  for (let at = 1; at < number; at += 1)
    await doneAs(backend, tenancy.person, changeQlm, { model, written: economicProfile });
  return model;
}
