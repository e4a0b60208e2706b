import { canonicalHash } from '#lib/core/seal.ts';
import type { Em } from '#lib/database/base.ts';
import { boundState, type BoundState, type DriftState } from '#lib/qlms/readers/bound-model.query.ts';
import { readDirectory } from '#lib/qlms/readers/directory.query.ts';
import { measuresByDomain } from '#lib/qlms/readers/names.ts';
import { featureScope, openDomains, scopeOf } from '#lib/qlms/readers/scopes.ts';
import type { QlmProfile } from '#lib/qlms/registry/profile.schema.ts';
import {
  findQlm,
  listQlms,
  type EvaluationFacts,
  type QlmListed,
  type QlmPage,
} from '#lib/qlms/registry/qlm.query.ts';
import type { QlmSummary } from './qlm.schema.ts';

/** A question model with the state of the numeric model that it is bound to. */
export type QlmWithBinding = QlmListed & { bound: (BoundState & { drifted: DriftState }) | undefined };

/** Lists question models, each with the state of its binding. */
export async function listWithBindings(em: Em, page: QlmPage): Promise<QlmWithBinding[]> {
  const listed = await listQlms(em, page);
  const rows: QlmWithBinding[] = [];
  for (const each of listed) rows.push({ ...each, bound: await boundOf(em, profileOf(each)) });
  return rows;
}

/**
 * Returns a question model with its binding. For each domain, also returns the number of measures that the scopes can
 * read.
 */
export async function findWithMeasures(em: Em, uid: string, scopes: ReadonlySet<string>) {
  const found = await findQlm(em, uid);
  if (!found) return undefined;
  const profile = profileOf(found);
  const measures = measuresByDomain(
    await readDirectory(em, undefined),
    openDomains(profile.domains, scopes),
    scopes.has(featureScope),
  );
  return { ...found, bound: await boundOf(em, profile), measures };
}

async function boundOf(em: Em, { bound_lqm: bound }: QlmProfile): Promise<QlmWithBinding['bound']> {
  const found = bound ? await boundState(em, bound) : undefined;
  return found && { ...found, drifted: await found.drift() };
}

function shown({ newest, serving }: QlmListed) {
  return serving ?? newest;
}

function profileOf(listed: QlmListed): QlmProfile {
  return shown(listed).profile;
}

/** Presents a question model as an element of a list. */
export function presentQlm(listed: QlmWithBinding): QlmSummary {
  const { serving, status, bound } = listed;
  const { modelUid, key, name, createdAt, profile, evaluation } = shown(listed);
  return {
    uid: modelUid,
    key,
    name,
    purpose: profile.purpose,
    status,
    serving_version: status === 'serving' || status === 'suspended' ? (serving?.version ?? null) : null,
    bound_lqm: profile.bound_lqm
      ? {
          ...profile.bound_lqm,
          key: bound?.key ?? '',
          serves: bound?.serves ?? false,
          drift: {
            severity: bound?.drifted.severity ?? 'not_assessed',
            assessed_at: bound?.drifted.assessedAt ?? null,
          },
        }
      : null,
    planner: profile.planner.kind,
    evaluation: evaluation && presentFigures(evaluation),
    created_at: createdAt,
  };
}

function presentFigures({ uid, at, passed, falseAnswers: { n, k, upper } }: EvaluationFacts) {
  return { uid, at, passed, false_answers: { n, k, upper } };
}

/** Presents a question model with its domains, limits and gate. */
export function presentDetail(
  found: NonNullable<Awaited<ReturnType<typeof findWithMeasures>>>,
  scopes: ReadonlySet<string>,
) {
  const { profile, contentHash } = shown(found);
  return {
    ...presentQlm(found),
    domains: profile.domains.map((key) => ({
      key,
      scope: scopeOf[key],
      entitled: scopes.has(scopeOf[key]),
      measures: found.measures.get(key) ?? 0,
    })),
    limits: {
      question_characters: 1_000,
      max_facts: profile.max_facts,
      keep_question_days: profile.keep_question_days,
      follow_up_hours: 24,
    },
    intended_use: profile.intended_use,
    not_for: profile.not_for,
    gate: profile.gate,
    vocabulary_hash: canonicalHash(profile.vocabulary),
    content_hash: contentHash,
  };
}
