import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Tenant } from '#lib/database/base.ts';
import { qlmEvaluationsRun } from '#lib/qlms/evaluation/qlm-evaluations.run.ts';
import { startQlmEvaluation } from '#lib/qlms/evaluation/start-evaluation.command.ts';
import { approveQlmVersion } from '#lib/qlms/registry/approve-version.command.ts';
import { importSuite } from '#lib/qlms/registry/import-suite.command.ts';
import { listQlms, type QlmListed } from '#lib/qlms/registry/qlm.query.ts';
import { createQlm } from '#lib/qlms/registry/write-version.command.ts';
import { domains } from '#lib/qlms/language/catalogue.ts';
import { modelPersons } from './model-persons.ts';
import type { WithRunner } from './model.ts';
import { governWith, person, type SampleOperators } from './sample-operators.ts';

const KEY = 'sample';
const SUITE = fileURLToPath(new URL('questions.jsonl', import.meta.url));

/** Names that people use for the measures of the sample data. */
const vocabulary = {
  'economics.GDPC1': ['real GDP'],
  'economics.GDP': ['nominal GDP', 'GDP'],
  'economics.GS10': ['10-year Treasury yield', '10-year yield', 'ten-year yield'],
  'economics.CPIAUCNS': ['CPI', 'consumer price index'],
  'economics.VIXCLS': ['VIX'],
  'derived.inflation_yoy': ['inflation'],
  'price.close': ['close', 'price', 'closing price'],
  return: ['return', 'total return', 'performance'],
};

/**
 * Creates a question model in the sample workspace, with a serving version. One person writes the version, an
 * evaluation passes the gate of the version, and another person approves the version. After an interrupted call, the
 * next call continues.
 */
export async function seedQuestionModel(
  operators: SampleOperators,
  sample: Tenant & { application: string },
  withRunner: WithRunner,
): Promise<void> {
  const { workspace, environment, application } = sample;
  const place = { workspace, environment };
  const newest = { status: undefined, key: KEY, after: undefined, limit: 1 };
  const find = async (): Promise<QlmListed | undefined> =>
    (await operators.query(place, listQlms, newest))[0];
  const { author, approver } = await modelPersons(operators, workspace);
  const known = await find();
  if (known && known.serving !== null) return;
  if (!known) {
    const text = readFileSync(SUITE, 'utf8');
    await governWith(operators, importSuite, { ...place, key: KEY, text }, person(author));
    const written = {
      purpose: 'Answers questions about the sample data.',
      domains: [...domains],
      vocabulary,
      gate: { suite: KEY },
    };
    const named = { ...place, key: KEY, name: 'Sample questions', written };
    await governWith(operators, createQlm, { ...named, lqm: { key: 'sample_regimes' } }, person(author));
  }
  const { modelUid, versionUid } = (await find())!.newest;
  await withRunner(async (runHere) => {
    const input = { model: modelUid, application };
    const { result } = await governWith(operators, startQlmEvaluation, input, person(author));
    await runHere({ ...place, uid: result.uid, kind: qlmEvaluationsRun.key });
  });
  await governWith(operators, approveQlmVersion, { version: versionUid }, person(approver));
}
