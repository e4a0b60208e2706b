import type { Static } from 'typebox';
import { invalid, Problem } from '#lib/core/problem.ts';
import { tenantOf, type Em } from '#lib/database/base.ts';
import { Application } from '#lib/access/application.entity.ts';
import { Workspace } from '#lib/access/workspace.entity.ts';
import type { SubmittedBy } from '#lib/pipeline/define-run.ts';
import { boundState } from '../readers/bound-model.query.ts';
import { QlmSuite } from '../registry/qlm.entity.ts';
import { findQlmVersions, type QlmInVersion } from '../registry/qlm.query.ts';
import { suiteHash } from '../registry/suite-text.ts';
import { ADVERSARIAL_SUITE } from './adversarial.ts';
import { engineHash } from '../asking/engine.query.ts';
import type { EvaluationInput, EvaluationRequest } from './evaluation.schema.ts';
import { casesOf, type Case } from './suite.ts';

type Input = Static<typeof EvaluationInput>;
type Request = Static<typeof EvaluationRequest>;

/** Returns the input of an evaluation. Throws a problem if the version is closed, or its model or suite is missing. */
export async function evaluationInput(em: Em, request: Request, by: SubmittedBy): Promise<Input> {
  const { model_uid: model, suite, cases, version: number, credential = 'own' } = request;
  const [version] = await findQlmVersions(em, { model, version: number, limit: 1 });
  if (!version) throw new Problem('not_found', 'There is no such question model or version.');
  if (suite !== undefined && cases !== undefined)
    throw invalid([
      { pointer: '/cases', in: 'body', code: 'one_of', message: 'must not be sent together with suite' },
    ]);
  await requireOpen(em, version);
  const gate = version.profile.gate.suite_uid;
  const chosen = cases ? null : (suite ?? gate);
  if (chosen === null && !cases)
    throw invalid([
      { pointer: '/suite', in: 'body', code: 'required', message: 'is required: the gate has no suite' },
    ]);
  const found = chosen === null ? null : await em.findOne(QlmSuite, { uid: chosen });
  if (chosen !== null && !found)
    throw invalid([
      { pointer: '/suite', in: 'body', code: 'unknown_suite', message: 'must be a suite of the workspace' },
    ]);
  const countsForGate = chosen !== null && chosen === gate && credential === 'own';
  const held = by.scopes ?? (await scopesOf(em, by.application));
  const scopes = held.filter((each) => credential === 'own' || credential.scopes.includes(each as never));
  if (cases) requireDistinctIds(casesOf(cases));
  return {
    model_uid: model,
    version_uid: version.versionUid,
    version: version.version,
    content_hash: version.contentHash,
    suite_uid: chosen,
    suite_hash: found?.contentHash ?? suiteHash(casesOf(cases!)),
    cases: cases ?? null,
    built_in: countsForGate ? ADVERSARIAL_SUITE : null,
    counts_for_gate: countsForGate,
    scopes: [...scopes].sort() as Input['scopes'],
    engine_hash: engineHash(),
    asked_at: by.now.toISOString(),
  };
}

function requireDistinctIds(cases: readonly Case[]): void {
  const at = cases.findIndex(({ id }, index) => cases.findIndex((each) => each.id === id) < index);
  if (at >= 0)
    throw invalid([
      { pointer: `/cases/${at}/id`, in: 'body', code: 'repeated', message: 'must be unique in the cases' },
    ]);
}

async function requireOpen(em: Em, { state, profile }: QlmInVersion): Promise<void> {
  if (state === 'retired' || state === 'superseded')
    throw new Problem('version_closed', `The version is ${state}. Evaluate a newer version.`);
  const { bound_lqm: bound } = profile;
  if (bound && !(await boundState(em, bound))?.serves)
    throw new Problem(
      'bound_model_unavailable',
      'The bound checkpoint is not that of the serving version of the numeric model.',
    );
}

/** Returns the scopes that an application has and to which its workspace is entitled. */
async function scopesOf(em: Em, application: string | undefined): Promise<string[]> {
  const found = await em.findOne(Application, { uid: application ?? '' });
  const { entitlements } = await em.findOneOrFail(Workspace, { uid: tenantOf(em).workspace });
  return (found?.scopes ?? []).filter((scope) => entitlements.includes(scope));
}
