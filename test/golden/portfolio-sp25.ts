import { checkRisk } from './portfolio-sp25-risk.ts';
import { checkConstruction } from './portfolio-sp25-construction.ts';
import { asList, asText, type Members, parseGoldenFile } from './golden-file.ts';
import { type PriceTable, readLongPrices } from './price-table.ts';
import { type Report, Tally } from './report.ts';

/** A part of the file: its sections, and the comparison of them. */
export type SectionCheck = (tally: Tally, file: Members, prices: PriceTable) => void;

/** Each section with its check; a check of several sections is listed at the first. */
const checks: Readonly<Record<string, SectionCheck>> = { portfolios: checkConstruction };

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
  const symbols = asList(file['symbols'], 'symbols').map((each) => asText(each, 'a symbol'));
  const [name = '', range = ''] = asText(file['data'], 'data').split(' adj_close, ');
  const [from = '', to = ''] = range.split('..');
  const prices = readLongPrices(name, path, { symbols, from, to });
  for (const [section, compare] of Object.entries(checks))
    if (file[section] !== undefined) compare(tally, file, prices);
  if (file['risk'] !== undefined) checkRisk(tally, file, path);
  for (const section of Object.keys(file))
    if (!known.has(section)) tally.note(`section ${section} is not known`);
  return tally.report;
}
