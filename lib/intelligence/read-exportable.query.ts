import { answerUse, hideDenied } from '#lib/data/rights/ask-rights.query.ts';
import type { Em } from '#lib/database/base.ts';
import { readSummary, type SummaryQuestion, type WordedSummary } from './read-summary.query.ts';

/**
 * Reads the summary of the current tenant for a provider outside of Assay. Datasets whose entitlements do not permit an
 * export are hidden, so that nothing about them is sent.
 */
export async function readExportable(em: Em, question: SummaryQuestion): Promise<WordedSummary> {
  const asked = { action: 'export', rows: 0, now: question.now } as const;
  const { denied } = await answerUse(em, asked);
  await hideDenied(em, denied, asked);
  return readSummary(em, question);
}
