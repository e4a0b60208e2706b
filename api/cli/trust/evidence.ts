import type { Command } from 'commander';
import type { PackContent } from '#lib/trust/evidence-pack.ts';
import { assessmentResults } from '#lib/trust/oscal.ts';
import { failureStatus, verifyPack } from '#lib/trust/verify-pack.mjs';
import { Refusal } from '#lib/core/refusal.ts';
import { readText } from '../operate/verify.ts';

export function register(program: Command): void {
  const group = program.command('evidence');
  group
    .command('oscal <file>')
    .description('print a valid pack as OSCAL assessment results')
    .option('--keys <file>', 'the published key set, /.well-known/assay-keys.json')
    .action(async (file: string, { keys }: { keys?: string }) => {
      const text = await readText(file);
      const checked = verifyPack(text, { keys: keys === undefined ? undefined : await readText(keys) });
      if (!checked.ok) throw new Refusal('pack_broken', checked.message, failureStatus[checked.kind]);
      const pack = JSON.parse(text) as PackContent;
      process.stdout.write(`${JSON.stringify(assessmentResults(pack), null, 2)}\n`);
    });
}
