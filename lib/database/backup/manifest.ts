import { Ajv } from 'ajv';
import Type, { type Static } from 'typebox';
import { BackupRefused } from './backup-refused.ts';

export const FORMAT = 'assay-backup';
export const FORMAT_VERSION = 1;

/**
 * The name of the member that describes all other members. This member comes last, so a truncated file does not contain
 * it.
 */
export const MANIFEST = 'manifest.json';

/**
 * The schema of the names of tables and columns. The names become part of SQL that a superuser runs, so only plain
 * identifiers are valid.
 */
const Name = Type.String({ pattern: '^[a-z_][a-z0-9_]{0,62}$' });
const Count = Type.Integer({ minimum: 0 });

const Table = Type.Object({
  name: Name,
  columns: Type.Array(Name, { minItems: 1 }),
  rows: Count,
  /**
   * The members that contain the table: consecutive chunks of its rows in PostgreSQL's COPY text format. A
   * row may span two chunks.
   */
  members: Type.Array(
    Type.Object({
      name: Type.String(),
      bytes: Count,
      sha256: Type.String({ pattern: '^[0-9a-f]{64}$' }),
    }),
  ),
});

const Manifest = Type.Object({
  format: Type.Literal(FORMAT),
  format_version: Type.Literal(FORMAT_VERSION),
  assay_version: Type.String(),
  server_version: Type.String(),
  created_at: Type.String(),
  /** The names of the migrations that created the schema, in order. */
  migrations: Type.Array(Type.String(), { minItems: 1 }),
  /** The tables. Every table comes after the tables that it references. */
  tables: Type.Array(Table, { minItems: 1 }),
});

export type Manifest = Static<typeof Manifest>;
export type TableRecord = Static<typeof Table>;

const isManifest = new Ajv().compile<Manifest>(Manifest);

/**
 * Reads a manifest. Refuses a manifest that this version cannot restore: with a later format, or with migrations other
 * than the first migrations of `known`. `known` lists this version's migrations in order, from the baseline.
 */
export function readManifest(text: string, known: readonly string[]): Manifest {
  const manifest = parse(text);
  const { format, format_version: version } = manifest;
  if (format !== FORMAT) throw new BackupRefused('backup_foreign', 'the file is not a backup of Assay');
  if (typeof version === 'number' && version > FORMAT_VERSION) {
    throw new BackupRefused(
      'backup_newer',
      `format ${version} is newer than the supported format ${FORMAT_VERSION}`,
    );
  }
  if (!isManifest(manifest)) {
    const [fault] = isManifest.errors!;
    throw new BackupRefused('backup_damaged', `${MANIFEST}${fault!.instancePath} ${fault!.message}`);
  }
  if (manifest.migrations[0] !== known[0]) {
    throw new BackupRefused(
      'backup_older',
      `the backup is from a development version of Assay ${manifest.assay_version}, whose schema cannot be upgraded`,
    );
  }
  const unknown = manifest.migrations.filter((name) => !known.includes(name));
  if (unknown.length > 0) {
    throw new BackupRefused(
      'backup_newer',
      `the backup is from Assay ${manifest.assay_version}, and this version does not know its schema: ${unknown.join(', ')}`,
    );
  }
  if (manifest.migrations.some((name, at) => name !== known[at])) {
    throw new BackupRefused(
      'backup_damaged',
      'the migrations of the backup differ from the first migrations of this version',
    );
  }
  return manifest;
}

function parse(text: string): Record<string, unknown> {
  try {
    return Object(JSON.parse(text)) as Record<string, unknown>;
  } catch (cause) {
    throw new BackupRefused('backup_damaged', `${MANIFEST} is not JSON`, { cause });
  }
}
