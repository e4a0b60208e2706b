import { createHash } from 'node:crypto';
import { sha256 } from '#lib/core/seal.ts';
import { exposureMicro } from '#lib/data/taxonomy.ts';
import { placesOf, type ColumnRules, type Columns } from '../readers/columns.ts';
import { decimalFault, symbolFault } from '../readers/fields.ts';
import { isSameMoment, readPublishedAt, type StatedInstant } from '../readers/instant.ts';
import type { Load } from '../load/import-request.ts';
import { ImportRefused } from '../load/import-refused.ts';
import type { RejectsFile } from '../load/rejects-file.ts';
import { RowReader, type RowParser } from '../readers/row-reader.ts';

/** The exposures of one taxonomy version, in file order, including exposures of 0. */
export type VersionRows = {
  version: string;
  /** The time of publication. Undefined if the file states no date; the version is then a draft. */
  publishedAt: StatedInstant | undefined;
  firstLine: number;
  exposures: Exposure[];
};

export type Exposure = { theme: string; symbol: string; text: string; micro: number };

type TaxonomyRow = Exposure & { version: VersionRows };

export const taxonomyColumns: ColumnRules = {
  required: ['version', 'published_at', 'theme', 'symbol', 'exposure'],
};

/**
 * The maximum number of rows of a taxonomy file. A taxonomy is held in memory, because its versions are compared and
 * verified as a whole.
 */
const ROWS_MAX = 1_000_000;
const VERSION = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;
const THEME = /^[a-z0-9_]{1,64}$/;

/** Returns why a text is not a valid name of a taxonomy version; `undefined` if it is valid. */
export function versionFault(text: string): string | undefined {
  return VERSION.test(text)
    ? undefined
    : 'must have 1 to 64 letters, digits and . _ -, and begin with a letter or digit';
}

/** Reads all rows of a taxonomy file, grouped by version. */
export async function readTaxonomy(load: Load, rejects: RejectsFile | undefined) {
  const versions = new Map<string, VersionRows>();
  const hash = createHash('sha256');
  const reader = new RowReader<TaxonomyRow>({
    path: load.path,
    rules: taxonomyColumns,
    mapping: load.mapping,
    parser: (columns) => taxonomyParser(columns, versions, load.now),
    rejects,
    hash,
    onProgress: load.onProgress,
  });
  for await (const rows of reader.batches()) {
    for (const { version, ...exposure } of rows) version.exposures.push(exposure);
    if (reader.read > ROWS_MAX) {
      throw new ImportRefused('import_refused', `a taxonomy file can have at most ${ROWS_MAX} rows`);
    }
  }
  if (reader.rejected > 0 && (!load.skipBad || reader.rejected === reader.read))
    throw reader.faults.refusal();
  return { versions, content: hash.digest('hex'), read: reader.read, rejected: reader.rejected };
}

/**
 * Returns two SHA-256 hashes over the lines `theme,symbol,exposure` of a version. Each line ends with a line
 * feed, and the exposure is written as in the file. For `sorted`, the lines are in code-unit order; for
 * `inFileOrder`, they are in file order.
 */
export function lineHashes(exposures: readonly Exposure[]): { sorted: string; inFileOrder: string } {
  const lines = exposures.map(({ theme, symbol, text }) => `${theme},${symbol},${text}\n`);
  return { sorted: sha256(lines.toSorted().join('')), inFileOrder: sha256(lines.join('')) };
}

function taxonomyParser(
  columns: Columns,
  versions: Map<string, VersionRows>,
  now: Date,
): RowParser<TaxonomyRow> {
  const places = placesOf(columns, ['version', 'published_at', 'theme', 'symbol', 'exposure']);
  const firstLines = new Map<string, number>();
  return (fields, line, report) => {
    let isValid = true;
    const refuse = (column: string, value: string, reason: string | undefined) => {
      if (reason === undefined) return;
      isValid = false;
      report(column, value, reason);
    };
    const [name, published, theme, symbol, text] = places.map((at) => fields[at]!) as [
      string,
      string,
      string,
      string,
      string,
    ];
    refuse('version', name, versionFault(name));
    const publishedAt = published === '' ? undefined : readPublishedAt(published, now);
    if (typeof publishedAt === 'string') refuse('published_at', published, publishedAt);
    refuse('theme', theme, THEME.test(theme) ? undefined : 'must have 1 to 64 characters of a-z, 0-9 and _');
    refuse('symbol', symbol, symbolFault(symbol));
    const micro = readMicro(text);
    if (typeof micro === 'string') refuse('exposure', text, micro);
    if (!isValid) return undefined;
    const version = versions.get(name) ?? {
      version: name,
      publishedAt: publishedAt as StatedInstant | undefined,
      firstLine: line,
      exposures: [],
    };
    if (!isSameMoment(version.publishedAt, publishedAt as StatedInstant | undefined)) {
      refuse('published_at', published, `differs from line ${version.firstLine} of the same version`);
      return undefined;
    }
    const key = `${name}\n${theme}\n${symbol}`;
    const firstLine = firstLines.get(key);
    if (firstLine !== undefined) {
      refuse('symbol', symbol, `repeats line ${firstLine}: the same version, theme and symbol`);
      return undefined;
    }
    firstLines.set(key, line);
    versions.set(name, version);
    return { version, theme, symbol, text, micro: micro as number };
  };
}

function readMicro(text: string): number | string {
  const fault = decimalFault(text, 'zero');
  if (fault !== undefined) return fault;
  try {
    return exposureMicro(text);
  } catch {
    return 'is above 1';
  }
}
