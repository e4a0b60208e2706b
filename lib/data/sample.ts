import { fileURLToPath } from 'node:url';
import type { ImportRequest } from './import/load/import-request.ts';

const file = (name: string) => fileURLToPath(new URL(`../sample/${name}`, import.meta.url));

/** The files of the sample data, as imports. Their origins are listed in `lib/sample/SOURCES.md`. */
export const sampleImports: Pick<ImportRequest, 'kind' | 'path' | 'versionsPath' | 'seriesPath'>[] = [
  { kind: 'instruments', path: file('constituents.csv') },
  { kind: 'prices', path: file('prices_monthly.csv.gz') },
  { kind: 'economics', path: file('economics.csv'), seriesPath: file('economics_series.csv') },
  { kind: 'taxonomy', path: file('taxonomy.csv'), versionsPath: file('taxonomy_versions.csv') },
];

/**
 * The import of real monthly log returns for a numeric model. The returns end in 2022, so the model must
 * allow old data.
 */
export const sampleReturns = {
  path: file('returns_monthly.csv'),
  dataset: 'sample_returns',
  title: 'Regimes of ten stocks',
  licence: "BSD-3-Clause (the repository; the quotes are a vendor's)",
  source:
    'skfolio/skfolio, src/skfolio/datasets/data/sp500_dataset.csv.gz at c06db840: month-end log returns',
  maxAgeDays: 36_600,
};
