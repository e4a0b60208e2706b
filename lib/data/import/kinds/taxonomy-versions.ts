import { createHash } from 'node:crypto';
import { placesOf, type Columns } from '../readers/columns.ts';
import { FaultList } from '../load/fault-list.ts';
import { isSameMoment, readPublishedAt, type StatedInstant } from '../readers/instant.ts';
import { RowReader, type Report, type RowParser } from '../readers/row-reader.ts';
import { lineHashes, versionFault, type Exposure, type VersionRows } from './taxonomy-rows.ts';

export type TaxonomyStatus = 'draft' | 'published';

/** A taxonomy version that the import is to store. */
export type TaxonomyVersion = {
  version: string;
  status: TaxonomyStatus;
  publishedAt: StatedInstant | undefined;
  exposures: readonly Exposure[];
};

const HASH_COLUMN = 'sha256_of_theme_symbol_exposure_lines';
const COUNTS = ['themes', 'symbols', 'rows'] as const;

/** A row of a versions file. It describes one version and states the values that the import verifies. */
type Statement = {
  line: number;
  version: string;
  status: TaxonomyStatus;
  publishedAt: StatedInstant | undefined;
  verified: readonly { column: (typeof COUNTS)[number] | typeof HASH_COLUMN; value: string }[];
};

/**
 * Derives the versions if there is no versions file. A version is published if its rows state a date, otherwise it
 * is a draft.
 */
export function versionsOfRows(rows: ReadonlyMap<string, VersionRows>): TaxonomyVersion[] {
  return [...rows.values()].map(({ version, publishedAt, exposures }) => ({
    version,
    status: publishedAt === undefined ? 'draft' : 'published',
    publishedAt,
    exposures,
  }));
}

/**
 * Reads the versions from a versions file and adds their exposures. Throws an `ImportRefused` with every row that is
 * not valid, or whose status, publication time, counts or hash do not match the taxonomy file.
 */
export async function readVersions(
  path: string,
  rows: ReadonlyMap<string, VersionRows>,
  now: Date,
): Promise<{ versions: TaxonomyVersion[]; content: string }> {
  const hash = createHash('sha256');
  const reader = new RowReader<Statement>({
    path,
    rules: { required: ['version', 'published_at', 'status'], optional: [...COUNTS, HASH_COLUMN] },
    parser: (columns) => statementParser(columns, now),
    hash,
  });
  const statements: Statement[] = [];
  for await (const batch of reader.batches()) statements.push(...batch);
  if (reader.faults.total > 0) throw reader.faults.refusal('the versions file');
  const faults = new FaultList();
  for (const statement of statements) {
    checkStatement(statement, rows.get(statement.version), (column, value, reason) =>
      faults.add({ line: statement.line, column, value, reason }),
    );
  }
  if (faults.total > 0) throw faults.refusal('the versions file');
  const stated = new Set(statements.map(({ version }) => version));
  for (const { version, firstLine } of rows.values()) {
    if (!stated.has(version)) {
      faults.add({
        line: firstLine,
        column: 'version',
        value: version,
        reason: 'is not in the versions file',
      });
    }
  }
  if (faults.total > 0) throw faults.refusal();
  const versions = statements.map(({ version, status, publishedAt }) => ({
    version,
    status,
    publishedAt,
    exposures: rows.get(version)?.exposures ?? [],
  }));
  return { versions, content: hash.digest('hex') };
}

function statementParser(columns: Columns, now: Date): RowParser<Statement> {
  const [versionAt, publishedAt, statusAt] = placesOf(columns, ['version', 'published_at', 'status']) as [
    number,
    number,
    number,
  ];
  const lines = new Map<string, number>();
  return (fields, line, report) => {
    let isValid = true;
    const refuse = (column: string, value: string, reason: string | undefined) => {
      if (reason === undefined) return;
      isValid = false;
      report(column, value, reason);
    };
    const [version, published, status] = [fields[versionAt]!, fields[publishedAt]!, fields[statusAt]!];
    const earlier = lines.get(version);
    refuse('version', version, versionFault(version));
    if (earlier !== undefined) refuse('version', version, `repeats line ${earlier}`);
    lines.set(version, line);
    const moment = published === '' ? undefined : readPublishedAt(published, now);
    if (typeof moment === 'string') refuse('published_at', published, moment);
    if (status === 'published') refuse('published_at', published, published === '' ? 'is empty' : undefined);
    else if (status === 'draft') {
      refuse('published_at', published, published === '' ? undefined : 'must be empty for a draft');
    } else refuse('status', status, 'is neither draft nor published');
    if (!isValid) return undefined;
    const verified = [...COUNTS, HASH_COLUMN as typeof HASH_COLUMN].flatMap((column) => {
      const value = fields[columns.at.get(column) ?? -1] ?? '';
      return value === '' ? [] : [{ column, value }];
    });
    return {
      line,
      version,
      status: status as TaxonomyStatus,
      publishedAt: moment as StatedInstant | undefined,
      verified,
    };
  };
}

function checkStatement(statement: Statement, rows: VersionRows | undefined, report: Report): void {
  const { version, status, publishedAt } = statement;
  const exposures = rows?.exposures ?? [];
  if (status === 'published' && !exposures.some(({ micro }) => micro > 0)) {
    report('version', version, 'is published, but has no exposures in the taxonomy file');
  }
  if (rows && !isSameMoment(rows.publishedAt, publishedAt)) {
    report('published_at', publishedAt?.text ?? '', 'differs from the taxonomy file');
  }
  const found = {
    themes: () => [String(new Set(exposures.map(({ theme }) => theme)).size)],
    symbols: () => [String(new Set(exposures.map(({ symbol }) => symbol)).size)],
    rows: () => [String(exposures.length)],
    [HASH_COLUMN]: () => Object.values(lineHashes(exposures)),
  };
  for (const { column, value } of statement.verified) {
    const values = found[column]();
    if (!values.includes(value)) report(column, value, `does not match the taxonomy file: ${values[0]}`);
  }
}
