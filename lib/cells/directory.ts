import { readFile, rename, writeFile } from 'node:fs/promises';
import { Ajv } from 'ajv';
import Type, { type Static } from 'typebox';
import { Refusal } from '#lib/core/refusal.ts';

const Name = Type.String({ pattern: '^[a-z][a-z0-9-]{0,31}$' });

const Cell = Type.Object(
  {
    /** The address at which callers reach the cell directly. */
    address: Type.String({ pattern: '^https?://[^/]+$' }),
    /** The API processes of the cell, for the router. */
    servers: Type.Array(Type.String({ pattern: '^[A-Za-z0-9.-]+:[0-9]{1,5}$' }), {
      minItems: 1,
      maxItems: 64,
    }),
    /** The file with the environment variables of the cell's operator, such as `DATABASE_URL`. */
    environment: Type.Optional(Type.String({ minLength: 1 })),
  },
  { additionalProperties: false },
);

const Directory = Type.Object(
  {
    /** The cell of workspaces that are not listed. */
    default: Name,
    cells: Type.Record(Name, Cell, { additionalProperties: false }),
    workspaces: Type.Record(Type.String({ pattern: '^wsp_[0-9A-Z]{26}$' }), Name, {
      additionalProperties: false,
    }),
  },
  { additionalProperties: false },
);

/** The cells of an installation, and the cell of each workspace. */
export type Directory = Static<typeof Directory>;

const isDirectory = new Ajv().compile<Directory>(Directory);

/** Reads a directory file. Refuses a file that is not valid, or that names a cell which it does not describe. */
export async function readDirectory(file: string): Promise<Directory> {
  const read: unknown = await readFile(file, 'utf8')
    .then(JSON.parse)
    .catch((error: Error) => {
      throw new Refusal('directory_invalid', `${file}: ${error.message}`);
    });
  if (!isDirectory(read)) {
    const [fault] = isDirectory.errors!;
    throw new Refusal('directory_invalid', `${file}${fault!.instancePath} ${fault!.message}`);
  }
  const unknown = [read.default, ...Object.values(read.workspaces)].find((name) => !read.cells[name]);
  if (unknown !== undefined)
    throw new Refusal('directory_invalid', `${file} names the cell ${unknown}, but does not describe it`);
  return read;
}

/** Records the cell of a workspace in a directory file. The file is replaced as a whole. */
export async function setCell(file: string, workspace: string, cell: string): Promise<void> {
  const directory = await readDirectory(file);
  const workspaces = { ...directory.workspaces, [workspace]: cell };
  const partial = `${file}.${process.pid}.partial`;
  await writeFile(partial, `${JSON.stringify({ ...directory, workspaces }, null, 2)}\n`, { mode: 0o600 });
  await rename(partial, file);
}

/** Returns the cell of a workspace. */
export function cellOf({ workspaces, default: usual }: Directory, workspace: string): string {
  return workspaces[workspace] ?? usual;
}
