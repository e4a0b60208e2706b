import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { parseEnv } from 'node:util';
import { readConfig, type Config } from '#lib/core/config.ts';
import { Refusal } from '#lib/core/refusal.ts';
import { openOrm } from '#lib/database/orm.ts';
import { openWholeDatabase } from '#lib/database/open.ts';
import { roleUrl } from '#lib/database/roles.ts';
import type { Directory } from '#lib/cells/directory.ts';
import type { CellAccess } from '#lib/cells/transfer-workspace.ts';
import { proofOf } from '../shell/governed.ts';
import { notice } from '../shell/output.ts';
import { cellKeys } from './cell-keys.ts';

/** Reads the operator's variables of a cell. The path is relative to the directory file. */
export async function configOf(file: string, { cells }: Directory, name: string): Promise<Config> {
  const { environment } = cells[name]!;
  if (environment === undefined)
    throw new Refusal(
      'environment_missing',
      `${file} does not name the environment file of the cell ${name}`,
    );
  const at = path.resolve(path.dirname(file), environment);
  const text = await readFile(at, 'utf8').catch((error: Error) => {
    throw new Refusal('environment_missing', error.message);
  });
  return readConfig(parseEnv(text));
}

/** Runs work with the database of a cell, once with the rights of the operator and once with those to read every row. */
export async function inCell<T>(
  config: Config,
  work: (access: CellAccess, means: ReturnType<typeof proofOf>) => Promise<T>,
): Promise<T> {
  const database = await openWholeDatabase(config, { create: false, log: notice });
  if (!database) throw new Refusal('no_database', 'there is no Assay database here');
  const ownerUrl = config.DATABASE_URL ?? database.ownerUrl;
  const databaseUrl = roleUrl(ownerUrl, 'operator', config);
  const orm = openOrm(databaseUrl, 2);
  try {
    const access = { url: database.url, orm, keys: cellKeys(config, ownerUrl) };
    return await work(access, proofOf({ orm, config, databaseUrl }));
  } finally {
    await orm.close();
    await database.release();
  }
}
