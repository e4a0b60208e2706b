import { writeFile } from 'node:fs/promises';
import type { Command } from 'commander';
import type { Tenant } from '#lib/database/base.ts';
import { proveEntry, type InclusionDocument } from '#lib/trust/inclusion-proof.query.ts';
import { fileRefusal } from '../../../lib/audit/log-file.ts';
import { environmentOption, withJson } from '../shell/options.ts';
import { print, type OutputOptions } from '../shell/output.ts';
import { askIn } from '../shell/ask.ts';
import { Refusal } from '#lib/core/refusal.ts';
import { wholeNumber } from '../shell/whole-number.ts';

type Options = OutputOptions & Tenant;

export function registerProve(group: Command): void {
  withJson(group.command('prove <entry> <file>'))
    .description(
      'write the proof that an audit log entry is covered by the newest evidence pack; - for stdout',
    )
    .requiredOption('--workspace <uid>', 'the uid of the workspace')
    .addOption(environmentOption().makeOptionMandatory())
    .action(async (entry: string, file: string, options: Options) => {
      const index = wholeNumber('<entry>', entry, [0, Number.MAX_SAFE_INTEGER]);
      const proof = await prove(index, options);
      await write(file, `${JSON.stringify(proof)}\n`);
      const { uid, log } = proof.pack;
      if (file !== '-') print({ file, entry: index, pack: uid, tree_size: log.tree_size }, options);
    });
}

async function prove(index: number, { workspace, environment }: Options): Promise<InclusionDocument> {
  const proof = await askIn({ workspace, environment }, proveEntry, index);
  if ('schema' in proof) return proof;
  const detail = `the newest evidence pack signed ${proof.signed} entries; entry ${index} is not among them`;
  throw new Refusal(
    'entry_not_signed',
    `${detail}. The next pack signs all entries that are in the log tree at that time`,
  );
}

async function write(file: string, text: string): Promise<void> {
  if (file === '-') {
    process.stdout.write(text);
    return;
  }
  await writeFile(file, text, { flag: 'wx', mode: 0o600, flush: true }).catch((error: unknown) => {
    throw fileRefusal(error);
  });
}
