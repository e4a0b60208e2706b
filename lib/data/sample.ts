import { fileURLToPath } from 'node:url';
import type { ImportRequest } from './import/import-file.ts';

const file = (name: string) => fileURLToPath(new URL(`../sample/${name}`, import.meta.url));

/** The imports that make the sample data; their origins are in `lib/sample/SOURCES.md`. */
export const sampleImports: Pick<ImportRequest, 'kind' | 'path' | 'versionsPath' | 'seriesPath'>[] = [
  { kind: 'instruments', path: file('constituents.csv') },
  { kind: 'prices', path: file('prices_monthly.csv.gz') },
  { kind: 'economics', path: file('economics.csv'), seriesPath: file('economics_series.csv') },
  { kind: 'taxonomy', path: file('taxonomy.csv'), versionsPath: file('taxonomy_versions.csv') },
];
