import { migrations } from '../migrations/index.ts';
import { readArchive } from './archive.ts';
import { sha256 } from './back-up.ts';
import { BackupRefused } from './backup-refused.ts';
import { MANIFEST, readManifest, type Manifest } from './manifest.ts';

/**
 * Reads a backup from end to end and compares the position, the length and the hash of every member with the
 * manifest. Refuses a file that is truncated, changed, or from a newer version of Assay.
 */
export async function checkBackup(file: string): Promise<Manifest> {
  const found: { name: string; bytes: number; sha256: string }[] = [];
  let manifest: Manifest | undefined;
  for await (const { name, content } of readArchive(file)) {
    if (manifest) throw new BackupRefused('backup_damaged', `${name} comes after the manifest`);
    if (name === MANIFEST) {
      manifest = readManifest(
        content.toString(),
        migrations.map((migration) => migration.name),
      );
    } else found.push({ name, bytes: content.length, sha256: sha256(content) });
  }
  if (!manifest)
    throw new BackupRefused('backup_damaged', `${file} has no ${MANIFEST}: it is truncated, or not a backup`);
  const listed = manifest.tables.flatMap(({ members }) => members);
  listed.forEach((member, at) => {
    const { name, bytes, sha256: hash } = found[at] ?? { name: 'nothing' };
    if (name !== member.name || bytes !== member.bytes || hash !== member.sha256) {
      throw new BackupRefused('backup_damaged', `${member.name} is missing or does not match the manifest`);
    }
  });
  if (found.length > listed.length) {
    throw new BackupRefused('backup_damaged', `${found[listed.length]!.name} is not in the manifest`);
  }
  return manifest;
}
