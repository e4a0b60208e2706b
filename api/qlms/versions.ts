import Type from 'typebox';
import { isUid } from '#lib/core/id.ts';
import { prefixes } from '#lib/core/prefix.ts';
import { Closed, InstantOf, ListOf, Nullable, pageQuery, Sha256Of, Uid } from '#lib/core/schema.ts';
import { canonicalHash } from '#lib/core/seal.ts';
import { pageOfVersions, type QlmInVersion } from '#lib/qlms/registry/qlm.query.ts';
import { changeKinds, versionStates } from '#lib/qlms/registry/states.ts';
import { listReply } from '../http/page.ts';
import { defineOperation } from '../services.ts';
import { QlmVersionNumber } from './qlm.schema.ts';

const PersonUid = Uid(prefixes.person, 'The person.');
const MaybeInstant = (description: string) => Nullable(InstantOf(description), description);

const QlmVersionResource = Closed(
  {
    uid: Uid(prefixes.qlmVersion, 'The version.'),
    version: QlmVersionNumber,
    state: Type.Enum([...versionStates], { description: 'The state of the version.' }),
    change_kind: Type.Enum([...changeKinds], {
      description:
        'The change that the version made: it created the model, or changed its profile or its binding.',
    }),
    content_hash: Sha256Of('SHA-256 of the profile.'),
    definition_hashes: Closed(
      {
        vocabulary: Sha256Of('SHA-256 of the vocabulary.'),
        gate: Sha256Of('SHA-256 of the gate.'),
        bound_lqm: Nullable(
          Sha256Of('SHA-256 of the binding.'),
          'SHA-256 of the binding; null if there is none.',
        ),
      },
      { description: 'Hashes of parts of the profile.' },
    ),
    author_uid: PersonUid,
    created_at: InstantOf('When the version was written.'),
    evaluation: Nullable(
      Closed({
        uid: Uid(prefixes.qlmEvaluation, 'The sealed evaluation.'),
        passed: Type.Boolean({ description: 'Whether the version met all limits of the gate.' }),
      }),
      'The latest evaluation of the version; null if there is none.',
    ),
    approved_by_uid: Nullable(PersonUid, 'The person who approved the version; null before the approval.'),
    approved_at: MaybeInstant('When the version was approved; null before the approval.'),
    served: Nullable(
      Closed({
        from: InstantOf('When the version became the serving version.'),
        to: MaybeInstant(
          'When the version ceased to be the serving version; null if it still is the serving version.',
        ),
      }),
      'The period in which the version was the serving version; null if it never was.',
    ),
    retired: Nullable(
      Closed({
        at: InstantOf('When the version was retired.'),
        reason: Nullable(Type.String({ maxLength: 500 }), 'The reason.'),
      }),
      'The retirement; null if the version is not retired.',
    ),
  },
  { title: 'QlmVersion', description: 'A version of a question model.' },
);

export const listQuestionModelVersions = defineOperation({
  key: 'qlms.versions.list',
  product: 'Model building (QLM)',
  method: 'GET',
  path: '/qlms/{uid}/versions',
  scope: 'qlm:read',
  summary: 'Lists the versions of a question model.',
  description: 'The versions with their authors, evaluations and approvals, newest first.',
  query: Closed({ ...pageQuery }),
  success: { status: 200, description: 'A page of versions.', schema: ListOf(QlmVersionResource) },
  problems: ['not_found', 'invalid_cursor'],
  async handle({ services, params, query, fail }) {
    const isKnown =
      isUid(params.uid, prefixes.qlmModel) &&
      (await services.query(pageOfVersions, { model: params.uid, after: undefined, limit: 1 })).length > 0;
    if (!isKnown) return fail('not_found', 'There is no such question model.');
    return listReply(services, query, {
      list: `/qlms/${params.uid}/versions`,
      filters: {},
      rows: (em, page) => pageOfVersions(em, { model: params.uid, ...page }),
      present: presentVersion,
    });
  },
});

function presentVersion(found: QlmInVersion) {
  const { vocabulary, gate, bound_lqm: bound } = found.profile;
  const { evaluation, retiredAt, servedFrom } = found;
  return {
    uid: found.versionUid,
    version: found.version,
    state: found.state,
    change_kind: found.changeKind,
    content_hash: found.contentHash,
    definition_hashes: {
      vocabulary: canonicalHash(vocabulary),
      gate: canonicalHash(gate),
      bound_lqm: bound && canonicalHash(bound),
    },
    author_uid: found.authorUid,
    created_at: found.writtenAt,
    evaluation: evaluation && { uid: evaluation.uid, passed: evaluation.passed },
    approved_by_uid: found.approvedBy,
    approved_at: found.approvedAt,
    served: servedFrom === null ? null : { from: servedFrom, to: found.servedTo },
    retired: retiredAt === null ? null : { at: retiredAt, reason: found.retiredReason },
  };
}
