import type { Source } from './section-source.ts';
import { sql } from 'kysely';
import type { Em } from '#lib/database/base.ts';
import type { Facts } from './section.ts';
import { actionsSection } from './sections/actions.query.ts';
import { aiSection } from './sections/ai.query.ts';
import { dataSection } from './sections/data.query.ts';
import { financialSection } from './sections/financial.query.ts';
import { investmentSection } from './sections/investment.query.ts';
import { modelsSection } from './sections/models.query.ts';
import { planningSection } from './sections/planning.query.ts';
import { quantSection } from './sections/quant.query.ts';
import { trustSection } from './sections/trust.query.ts';
import { workflowsSection } from './sections/workflows.query.ts';
import { sectionOf, summarize, type Reading, type Section, type Summary } from './summary.ts';
import { readWordings } from './wording.write.ts';
import { factsHash, type Wording } from './wording.ts';

/** The sources of all domains, in the order of the sections. Each source is in its own module. */
export const sources: readonly Source[] = [
  actionsSection,
  investmentSection,
  quantSection,
  planningSection,
  modelsSection,
  financialSection,
  dataSection,
  aiSection,
  trustSection,
  workflowsSection,
];

/** Time limit of one domain in milliseconds, so that a slow domain does not delay the others. */
const SECTION_MS = 1_500;

export type SummaryQuestion = {
  scopes: ReadonlySet<string>;
  now: Date;
  sources?: readonly Source[];
};

/**
 * The sections, each with its wording. A stored wording is used only if it was written for exactly the
 * current facts. The hash covers only the facts.
 */
export type WordedSummary = Omit<Summary, 'sections'> & {
  sections: (Section & { wording: Wording | null })[];
};

/**
 * Reads the summary of the current tenant in one transaction, with one or two statements for each domain that the
 * scopes cover. A domain that fails or takes too long is `unavailable`; the other domains are still returned.
 */
export async function readSummary(
  em: Em,
  { scopes, now, sources: requested = sources }: SummaryQuestion,
): Promise<WordedSummary> {
  await sql.raw(`select set_config('statement_timeout', '${SECTION_MS}', true)`).execute(em.getKysely());
  await sql`savepoint domains`.execute(em.getKysely());
  const sections: Section[] = [];
  for (const source of requested) {
    const reading: Reading = scopes.has(source.scope) ? await readOne(em, source, now) : 'not_entitled';
    sections.push(sectionOf(source, reading, now));
  }
  const { summary_hash } = summarize(sections);
  const wordings = await readWordings(em);
  return {
    sections: sections.map((section) => ({ ...section, wording: wordings.get(factsHash(section)) ?? null })),
    summary_hash,
  };
}

/**
 * Reads one domain. If a statement fails, the transaction returns to a savepoint that was set before the first domain.
 * This loses nothing, because the facts of the earlier domains are already in memory.
 */
async function readOne(em: Em, source: Source, now: Date): Promise<Facts | 'unavailable'> {
  try {
    return await source.read(em, now);
  } catch {
    // If the connection is lost, this statement throws. The error is not caught, because the other domains cannot be
    // read either.
    await sql`rollback to savepoint domains`.execute(em.getKysely());
    return 'unavailable';
  }
}
