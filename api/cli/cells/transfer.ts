import { stat } from 'node:fs/promises';
import { InvalidArgumentError, type Command } from 'commander';
import { systemClock } from '#lib/core/clock.ts';
import { readConfig } from '#lib/core/config.ts';
import { Refusal } from '#lib/core/refusal.ts';
import { canonicalHash } from '#lib/core/seal.ts';
import { openOrm } from '#lib/database/orm.ts';
import { environmentInUse } from '#lib/access/environment-in-use.query.ts';
import { provenInWorkspace } from '#lib/access/prove-person.command.ts';
import { governOrRefuse } from '#lib/governance/govern.ts';
import type { Manifest } from '#lib/cells/manifest.ts';
import { recordExport } from '#lib/cells/record-export.command.ts';
import { transferActor } from '#lib/cells/transfer-actor.query.ts';
import { withPerson, type GovernedOptions } from '../shell/governed.ts';
import { withJson } from '../shell/options.ts';
import { print, type OutputOptions } from '../shell/output.ts';
import { inCell } from './in-cell.ts';

type ExportWords = OutputOptions & GovernedOptions & { force?: true };
type ImportWords = OutputOptions & GovernedOptions & { trustKey?: string[] };

/** Adds the commands that write a workspace to a file and read it into another cell. */
export function registerTransfer(group: Command): void {
  withPerson(withJson(group.command('export <workspace> <file>')))
    .description(
      'write everything of a workspace to a file while the service runs; prints a one-time secret that the import needs',
    )
    .option('--force', 'replace the file if it exists')
    .action(async (workspace: string, file: string, options: ExportWords) => {
      const { exportWorkspace } = await import('#lib/cells/export-workspace.ts');
      const started = performance.now();
      const { manifest, secret } = await inCell(readConfig(), async ({ url, orm, keys }, means) => {
        const prove = provenInWorkspace(means, options, environmentInUse);
        const actor = await transferActor(orm, workspace, prove);
        const exported = await exportWorkspace(url, workspace, file, {
          force: options.force,
          clock: systemClock,
          keys,
        });
        const manifestHash = canonicalHash(exported.manifest);
        await governOrRefuse(orm, recordExport, { workspace, manifestHash }, { actor, clock: systemClock });
        return exported;
      });
      const { size } = await stat(file);
      print(
        { file, bytes: size, ...describe(manifest, started), transfer_secret: secret.toString('base64url') },
        options,
      );
    });
  withPerson(withJson(group.command('import <file>')))
    .description(
      'bring an exported workspace into this cell, whole or not at all, while the service runs; TRANSFER_SECRET holds the secret that the export printed; a workspace that returns needs a person of its old copy',
    )
    .option(
      '--trust-key <keyid>',
      'the id of a signing key in the file; from now on, this deployment accepts it for evidence packs of this workspace; can be repeated',
      keyIds,
    )
    .action(async (file: string, options: ImportWords) => {
      const { importWorkspace } = await import('#lib/cells/import-workspace.ts');
      const started = performance.now();
      const config = readConfig();
      const { manifest, seals } = await inCell(config, async ({ url, keys }, means) => {
        if (config.TRANSFER_SECRET === undefined)
          throw new Refusal(
            'transfer_secret_missing',
            'set TRANSFER_SECRET to the secret that the export printed',
          );
        // The operator's role cannot write to the old copy of a workspace that rests, not even that a code was used.
        const orm = openOrm(url, 2);
        try {
          return await importWorkspace(url, file, {
            secret: Buffer.from(config.TRANSFER_SECRET, 'base64url'),
            keys,
            trustedKeys: options.trustKey ?? [],
            proveReturn: (workspace) =>
              transferActor(orm, workspace, provenInWorkspace({ ...means, orm }, options, environmentInUse)),
            clock: systemClock,
          });
        } finally {
          await orm.close();
        }
      });
      print({ file, ...describe(manifest, started), seals_verified: seals }, options);
    });
}

function keyIds(text: string, earlier: string[] = []): string[] {
  if (!/^[0-9a-f]{64}$/.test(text)) throw new InvalidArgumentError('A key id has 64 hexadecimal digits.');
  return [...earlier, text];
}

/** Returns the fields that both commands print. `started`: the value of `performance.now()` when the command began. */
function describe(manifest: Manifest, started: number): Record<string, unknown> {
  return {
    workspace: manifest.workspace.uid,
    schema_version: manifest.schema_version,
    created_at: manifest.created_at,
    tables: manifest.tables.length,
    rows: manifest.tables.reduce((sum, { rows }) => sum + rows, 0),
    logs: manifest.logs,
    signing_keys: manifest.signing_keys.map(({ keyid }) => keyid),
    manifest_hash: canonicalHash(manifest),
    seconds: Math.round(performance.now() - started) / 1_000,
  };
}
