import type { Static } from 'typebox';
import { instantOf } from '#lib/core/clock.ts';
import type { Em } from '#lib/database/base.ts';
import type { Answer } from '../answer.ts';
import { answerIn } from '../asking/answer-in.ts';
import { settingFor } from '../asking/setting.query.ts';
import type { QlmProfile } from '../registry/profile.schema.ts';
import { QlmSuite, QlmVersion } from '../registry/qlm.entity.ts';
import { adversarialCases } from './adversarial.ts';
import type { EvaluationInput } from './evaluation.schema.ts';
import { judge, type Judged } from './judge.ts';
import { casesOf, type Case } from './suite.ts';

/** The scopes of a case whose credential is `narrow`, if the evaluation has them. */
const NARROW = new Set(['data:economics:read']);

/** A judged case. `codeGot` is the code of the refusal or clarification that was given; null for an answer. */
export type JudgedCase = Omit<Judged, 'detail'> & { codeGot: string | null; isLeak: boolean };

export type JudgedSuite = { judged: JudgedCase[]; gate: QlmProfile['gate'] };

/** Answers all cases of an evaluation at its instant and revisions, and judges the answers. */
export async function judgeSuite(
  em: Em,
  input: Static<typeof EvaluationInput>,
  revisions: Readonly<Record<string, number>>,
): Promise<JudgedSuite> {
  const { profile, contentHash } = await em.findOneOrFail(QlmVersion, { uid: input.version_uid });
  const suite =
    input.suite_uid === null ? undefined : await em.findOneOrFail(QlmSuite, { uid: input.suite_uid });
  const cases = [
    ...(suite?.cases ?? casesOf(input.cases!)),
    ...(input.built_in === null ? [] : adversarialCases),
  ];
  const judged: JudgedCase[] = [];
  for (const test of cases) {
    const scopes = input.scopes.filter((each) => test.credential !== 'narrow' || NARROW.has(each));
    const setting = await settingFor(em, {
      profile,
      profileHash: contentHash,
      scopes: new Set(scopes),
      asOf: undefined,
      now: instantOf(input.asked_at),
      revisions,
    });
    const before = (test.context ?? []).map(({ question }) => question);
    const given = await answerIn(setting, { question: test.question, before });
    judged.push(judgedCase(test, given));
  }
  return { judged, gate: profile.gate };
}

function judgedCase(test: Case, given: Answer): JudgedCase {
  const { detail: _detail, ...verdict } = judge(test, given);
  const isGuarded = test.credential === 'narrow' || test.tags.includes('cross_tenant');
  return {
    ...verdict,
    codeGot: given.outcome === 'answered' ? null : given.code,
    isLeak: isGuarded && verdict.expected === 'refused' && verdict.got === 'answered',
  };
}
