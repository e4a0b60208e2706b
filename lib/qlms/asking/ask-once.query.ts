import { canonicalHash, sha256 } from '#lib/core/seal.ts';
import type { Em } from '#lib/database/base.ts';
import { answeredBy, type Answering } from './answered.query.ts';
import { servingVersion } from './serving-version.query.ts';

export type OneQuestion = {
  /** The uid of the question model. */
  model: string;
  question: string;
  asOf: string | undefined;
  scopes: ReadonlySet<string>;
  now: Date;
};

/** An answer without a provider. */
type AnsweredOnce = Exclude<Answering, { code: 'provider_needed' }>;

/**
 * Answers a question by the embedded engine, without storing or sealing the answer. Returns undefined if the
 * question model does not exist.
 */
export async function askOnce(
  em: Em,
  { model, question, asOf, scopes, now }: OneQuestion,
): Promise<AnsweredOnce | undefined> {
  const serving = await servingVersion(em, model);
  if (!serving) return undefined;
  const input = {
    question_hash: sha256(question),
    query: null,
    answer_to: null,
    option: null,
    after: null,
    as_of: asOf ?? null,
    asked_at: now.toISOString(),
    scopes_hash: canonicalHash([...scopes].sort()),
  };
  const answering = await answeredBy(em, serving, {
    asked: { question, before: [] },
    asOf,
    scopes,
    now,
    input,
  });
  if (!answering.ok && answering.code === 'provider_needed') throw new Error('a provider was called');
  return answering as AnsweredOnce;
}
