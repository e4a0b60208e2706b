import { sql } from 'kysely';
import type { Em } from '#lib/database/base.ts';
import { sha256 } from '#lib/core/seal.ts';
import {
  findSubjectSeries,
  readableContent,
  type SeriesQuestion,
  type SubjectSeries,
} from './instrument-series.query.ts';
import { keptResults } from './kept-results.ts';

/**
 * Works like `findSubjectSeries`, and keeps recent results, because the choice of a series takes longer than reading a page
 * of it. The kept results are exact: they depend only on the content of the readable datasets, which is compared each
 * time. Callers must not change a result.
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
  const [found] = await keptResults(em, sha256(asked), async () => {
    const read = await findSubjectSeries(em, uid, question);
    const characters = JSON.stringify(read.found ?? null).length;
    return { made: [read.found], characters, isKept: read.found !== undefined && read.content === content };
  });
  return found;
}
