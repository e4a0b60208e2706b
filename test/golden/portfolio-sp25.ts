import { checkOverfitting } from './portfolio-sp25-overfitting.ts';
import { checkRisk } from './portfolio-sp25-risk.ts';
import { checkConstruction } from './portfolio-sp25-construction.ts';
import { type Members, parseGoldenFile } from './golden-file.ts';
import type { PriceTable } from './price-table.ts';
import { type Report, Tally } from './report.ts';
import { sp25Prices, sp25Returns } from './sp25-market.ts';

/** Compares one or more sections of the file with Assay's results. */
export type SectionCheck = (tally: Tally, file: Members, prices: PriceTable) => void;

/**
 * Each section with its check. A check of several sections is listed at the first section that it compares.
 */
const checks: Readonly<Record<string, SectionCheck>> = {
  portfolios: checkConstruction,
  overfitting: checkOverfitting,
};

/** Members that identify the file, or that belong to another check of the same file. */
const known = new Set([
  'data',
  'symbols',
  'observations',
  'conventions',
  'mu',
  'ledoit_wolf',
  'risk',
  ...Object.keys(checks),
]);

/** Compares portfolios of 25 stocks with a file. Throws a `GoldenFileError` on an unreadable file. */
export function check(contents: string, path: string): Report {
  const file = parseGoldenFile(contents);
  const tally = new Tally();
  const market = sp25Prices(file, path);
  for (const [section, compare] of Object.entries(checks))
    if (file[section] !== undefined) compare(tally, file, market.prices);
  if (file['risk'] !== undefined) checkRisk(tally, file, sp25Returns(market));
  for (const section of Object.keys(file))
    if (!known.has(section)) tally.note(`section ${section} is not known`);
  return tally.report;
}
