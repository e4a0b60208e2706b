import { createHmac, hkdfSync } from 'node:crypto';
import { Ajv } from 'ajv';
import Type, { type Static } from 'typebox';
import { canonicalJson } from '#lib/core/seal.ts';
import { CellRefused } from './refused.ts';

export const FORMAT = 'assay-workspace';
export const FORMAT_VERSION = 2;

/** The name of the member that describes all other members. It comes last, so a truncated file does not contain it. */
export const MANIFEST = 'manifest.json';

/** The schema of the names of tables and columns. The names become part of SQL, so only plain identifiers are valid. */
const Name = Type.String({ pattern: '^[a-z_][a-z0-9_]{0,62}$' });
const Count = Type.Integer({ minimum: 0 });
const Hash = Type.String({ pattern: '^[0-9a-f]{64}$' });
const Instant = Type.String({ pattern: String.raw`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$` });
const Strict = { additionalProperties: false };

const Numbers = { from: Count, to: Count };

const Table = Type.Object(
  {
    name: Name,
    columns: Type.Array(Name, { minItems: 1 }),
    rows: Count,
    /** The smallest and the largest number of the identity column. Left out for tables without rows or identity. */
    numbers: Type.Optional(
      Type.Object(
        {
          ...Numbers,
          /** The same within the range of each cell that has numbers, ascending. Only for numbers that are kept. */
          ranges: Type.Optional(Type.Array(Type.Object(Numbers, Strict), { minItems: 1 })),
        },
        Strict,
      ),
    ),
    /** Consecutive chunks of the rows in PostgreSQL's COPY text format. A row may span two chunks. */
    members: Type.Array(Type.Object({ name: Type.String(), bytes: Count, sha256: Hash }, Strict)),
  },
  Strict,
);

/** A row outside the workspace that rows of the workspace refer to. The target must have an equal row. */
const SharedRow = Type.Object(
  { table: Name, identity: Type.Record(Name, Type.Union([Type.String(), Type.Number(), Type.Null()])) },
  Strict,
);

/** The public half of a key that signed evidence packs of the workspace. */
const PublicKey = Type.Object(
  {
    keyid: Hash,
    public_x: Type.String({ pattern: '^[\\w-]{43}$' }),
    valid_from: Instant,
    retired_at: Instant,
  },
  Strict,
);

const Manifest = Type.Object(
  {
    format: Type.Literal(FORMAT),
    format_version: Type.Literal(FORMAT_VERSION),
    assay_version: Type.String(),
    server_version: Type.String(),
    created_at: Type.String(),
    workspace: Type.Object(
      { uid: Type.String({ pattern: '^wsp_[0-9A-Z]{26}$' }), name: Type.String() },
      Strict,
    ),
    /** The last migration of the schema. The target must have the same schema. */
    schema_version: Type.String(),
    /** The tables. Every table comes after the tables that it references. */
    tables: Type.Array(Table, { minItems: 1 }),
    shared_rows: Type.Array(SharedRow),
    signing_keys: Type.Array(PublicKey, { maxItems: 1_000 }),
    /** The audit log of each environment: its size, its root, and the entries without a position in the tree. */
    logs: Type.Array(
      Type.Object(
        {
          environment: Type.String({ enum: ['sandbox', 'production'] }),
          size: Count,
          root_hash: Hash,
          not_placed: Count,
        },
        Strict,
      ),
    ),
    /** Authenticates all members above: HMAC-SHA256 under a key that is derived from the transfer secret. */
    mac: Hash,
  },
  Strict,
);

export type Manifest = Static<typeof Manifest>;
export type TableRecord = Static<typeof Table>;
/** The smallest and the largest of some numbers. */
export type NumberRange = { from: number; to: number };
export type SharedRow = Static<typeof SharedRow>;
export type PublicKey = Static<typeof PublicKey>;

const isManifest = new Ajv().compile<Manifest>(Manifest);

/** Completes a manifest with its authentication code. */
export function authenticated(manifest: Omit<Manifest, 'mac'>, secret: Buffer): Manifest {
  return { ...manifest, mac: macOf(manifest, secret) };
}

/**
 * Reads a manifest. Refuses a manifest of another format, of another schema than `schemaVersion`, or one that was not
 * made with the transfer secret.
 */
export function readManifest(
  text: string,
  { schemaVersion, secret }: { schemaVersion: string; secret: Buffer },
): Manifest {
  const manifest = parse(text);
  const { format, format_version: version } = manifest;
  if (format !== FORMAT) throw new CellRefused('export_foreign', 'the file is not an export of a workspace');
  if (version !== FORMAT_VERSION) {
    throw new CellRefused(
      'schema_differs',
      `the file has format ${String(version)}; this version reads format ${FORMAT_VERSION}`,
    );
  }
  if (!isManifest(manifest)) {
    const [fault] = isManifest.errors!;
    throw new CellRefused('export_damaged', `${MANIFEST}${fault!.instancePath} ${fault!.message}`);
  }
  if (manifest.schema_version !== schemaVersion) {
    throw new CellRefused(
      'schema_differs',
      `the export has the schema ${manifest.schema_version} of Assay ${manifest.assay_version}, and this database has ` +
        `${schemaVersion}; bring both to the same version with \`assay migrate\` and export again`,
    );
  }
  const { mac, ...rest } = manifest;
  if (macOf(rest, secret) !== mac) {
    throw new CellRefused(
      'export_secret_wrong',
      'the transfer secret is not the one that the export printed, or the manifest was changed',
    );
  }
  return manifest;
}

function macOf(manifest: Omit<Manifest, 'mac'>, secret: Buffer): string {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'assay workspace manifest', 32));
  return createHmac('sha256', key).update(canonicalJson(manifest)).digest('hex');
}

function parse(text: string): Record<string, unknown> {
  try {
    return Object(JSON.parse(text)) as Record<string, unknown>;
  } catch (cause) {
    throw new CellRefused('export_damaged', `${MANIFEST} is not JSON`, { cause });
  }
}
