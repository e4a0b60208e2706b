import { sql } from 'kysely';
import { tenantOf, type Em } from '#lib/database/base.ts';
import type { StoredAnswer } from './answer-question.command.ts';

export type AnswerQuestion = {
  model: string;
  uid?: string | undefined;
  /** The application that reads the answers. Only the application that asked sees the text of a question. */
  application: string | null;
  now: Date;
  after?: string | undefined;
  limit: number;
};

/** Lists the sealed answers of a question model, newest first. */
export async function listAnswers(em: Em, question: AnswerQuestion): Promise<StoredAnswer[]> {
  const { workspace, environment } = tenantOf(em);
  const { model, uid, application, now, after, limit } = question;
  const { rows } = await sql<StoredAnswer>`
    select a.uid, a.members, a.result_hash as "resultHash", a.seal, q.question,
      a.provider_usage as usage
    from qlm_answer a left join qlm_question q on q.answer_uid = a.uid
      and q.application_uid = ${application} and q.keep_until > ${now.toISOString()}::timestamptz
    where a.workspace_uid = ${workspace} and a.environment = ${environment} and a.model_uid = ${model}
      and (${uid ?? null}::text is null or a.uid = ${uid ?? null})
      and (${after ?? null}::text is null or a.uid < ${after ?? null} collate "C")
    order by a.uid desc limit ${limit}
  `.execute(em.getKysely());
  return rows;
}

/** Returns a sealed answer of a question model; undefined if the answer does not exist. */
export async function findAnswer(
  em: Em,
  question: Omit<AnswerQuestion, 'limit'>,
): Promise<StoredAnswer | undefined> {
  return (await listAnswers(em, { ...question, limit: 1 }))[0];
}
