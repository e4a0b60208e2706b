import { sql } from 'kysely';
import { tenantOf, type Em } from '#lib/database/base.ts';
import type { SealedAnswer } from './answer.schema.ts';

/** The number of hours within which a question can follow up an answer. */
const HOURS = 24;
/** Maximum number of earlier questions that are read again to understand a follow-up question. */
const TURNS_MAX = 8;

/**
 * An earlier answer that the application got: the options if the answer was a clarification, and the questions of the
 * conversation up to this answer, oldest first.
 */
export type EarlierAnswer = {
  options: { label: string; query: SealedAnswer['query'] }[] | null;
  questions: string[];
};

/**
 * Returns an answer that the application got from the same question model within a day; undefined if there is none.
 * Questions whose text is no longer stored are left out.
 */
export async function earlierAnswer(
  em: Em,
  uid: string,
  { application, model, now }: { application: string; model: string; now: Date },
): Promise<EarlierAnswer | undefined> {
  const { workspace, environment } = tenantOf(em);
  const since = sql`${now.toISOString()}::timestamptz - make_interval(hours => ${HOURS})`;
  const { rows } = await sql<{ members: SealedAnswer; question: string | null }>`
    with recursive turns as (
      select a.uid, a.after_uid, 1 as turn from qlm_answer a
      where a.uid = ${uid} and a.workspace_uid = ${workspace} and a.environment = ${environment}
        and a.application_uid = ${application} and a.model_uid = ${model} and a.asked_at > ${since}
      union all
      select a.uid, a.after_uid, t.turn + 1 from turns t join qlm_answer a on a.uid = t.after_uid
      where t.turn < ${TURNS_MAX} and a.application_uid = ${application}
    )
    select a.members, q.question from turns t join qlm_answer a on a.uid = t.uid
    left join qlm_question q on q.answer_uid = a.uid and q.keep_until > ${now.toISOString()}::timestamptz
    order by t.turn
  `.execute(em.getKysely());
  const [own] = rows;
  if (!own) return undefined;
  return {
    options: own.members.clarification?.options ?? null,
    questions: rows.flatMap(({ question }) => question ?? []).toReversed(),
  };
}
