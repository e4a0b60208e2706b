import { readArchive, type Member } from '#lib/database/backup/archive.ts';
import { sha256 } from '#lib/database/backup/back-up.ts';
import { BackupRefused } from '#lib/database/backup/backup-refused.ts';
import { MANIFEST, readManifest, type Manifest } from './manifest.ts';
import { CellRefused } from './refused.ts';

/**
 * Reads an export from end to end and compares the position, the length and the hash of every member with the
 * manifest. Refuses a file that is truncated or changed, of another schema, or made with another transfer secret.
 */
export async function checkExport(
  file: string,
  expected: { schemaVersion: string; secret: Buffer },
): Promise<Manifest> {
  const found: { name: string; bytes: number; sha256: string }[] = [];
  let manifest: Manifest | undefined;
  for await (const { name, content } of membersOf(file)) {
    if (manifest) throw new CellRefused('export_damaged', `${name} comes after the manifest`);
    if (name === MANIFEST) manifest = readManifest(content.toString(), expected);
    else found.push({ name, bytes: content.length, sha256: sha256(content) });
  }
  if (!manifest)
    throw new CellRefused('export_damaged', `${file} has no ${MANIFEST}: it is truncated, or not an export`);
  const listed = manifest.tables.flatMap(({ members }) => members);
  listed.forEach((member, at) => {
    const { name, bytes, sha256: hash } = found[at] ?? { name: 'nothing' };
    if (name !== member.name || bytes !== member.bytes || hash !== member.sha256)
      throw new CellRefused('export_damaged', `${member.name} is missing or does not match the manifest`);
  });
  if (found.length > listed.length)
    throw new CellRefused('export_damaged', `${found[listed.length]!.name} is not in the manifest`);
  return manifest;
}

/** Reads the members of an export in order. Refuses a file that is truncated, or not an archive. */
export async function* membersOf(file: string): AsyncGenerator<Member> {
  try {
    yield* readArchive(file);
  } catch (error) {
    if (!(error instanceof BackupRefused) || error.code === 'file_unreadable') throw error;
    throw new CellRefused('export_damaged', error.message.replace('not a backup', 'not an export'), {
      cause: error,
    });
  }
}
