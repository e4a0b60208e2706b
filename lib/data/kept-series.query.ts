import { sql } from 'kysely';
import type { Em } from '#lib/database/base.ts';
import { sha256 } from '#lib/core/seal.ts';
import {
  findSubjectSeries,
  readableContent,
  type SeriesQuestion,
  type SubjectSeries,
} from './instrument-series.query.ts';
import { keptTexts } from './kept-texts.ts';

/**
 * Works like `findSubjectSeries`, and keeps what was found lately, because the choice of a series takes longer than
 * reading a page of it. The kept series are exact: they depend only on the content of the readable datasets, which is
 * compared each time.
 */
export async function keptSubjectSeries(
  em: Em,
  uid: string,
  question: SeriesQuestion,
): Promise<SubjectSeries | undefined> {
  const { rows } = await sql<{
    content: string | null;
  }>`select ${readableContent(question.kind)} as content`.execute(em.getKysely());
  const { content } = rows[0]!;
  const asked = JSON.stringify([
    'series of an instrument',
    em.getFilterParams('tenant'),
    content,
    uid,
    question,
  ]);
  const [found] = await keptTexts(em, sha256(asked), async () => {
    const read = await findSubjectSeries(em, uid, question);
    const characters = JSON.stringify(read.found ?? null).length;
    return { made: [read.found], characters, isKept: read.content === content };
  });
  return found;
}
