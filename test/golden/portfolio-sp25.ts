import { parseGoldenFile } from './golden-file.ts';
import { checkRisk } from './portfolio-sp25-risk.ts';
import { type Report, Tally } from './report.ts';

const prose = new Set(['data', 'symbols', 'observations', 'conventions', 'mu']);

/**
 * Compares portfolios of 25 stocks with a file, section by section. A section that is not known is noted.
 * Throws a `GoldenFileError` on an unreadable file.
 */
export function check(contents: string, path: string): Report {
  const tally = new Tally();
  const file = parseGoldenFile(contents);
  for (const section of Object.keys(file)) {
    if (section === 'risk') checkRisk(tally, file, path);
    else if (!prose.has(section)) tally.note(`section ${section} is not known`);
  }
  return tally.report;
}
