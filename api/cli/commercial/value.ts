import type { Command } from 'commander';
import { sealValueSnapshot } from '#lib/commercial/seal-value-snapshot.command.ts';
import type { Tenant } from '#lib/database/base.ts';
import { unprovenPerson } from '#lib/access/prove-person.command.ts';
import { withJson } from '../shell/options.ts';
import { print, type OutputOptions } from '../shell/output.ts';
import { placeOption } from '../shell/place.ts';
import { governProven } from '../shell/govern.ts';

export function register(program: Command): void {
  const group = program.command('value');
  withJson(group.command('snapshot'))
    .description('seal a snapshot now, without waiting for the schedule')
    .requiredOption('--workspace <uid>', 'the uid of the workspace')
    .addOption(placeOption())
    .option('--as <person>', 'the person who seals the snapshot (default: the owner of the workspace)')
    .action(async ({ workspace, environment, as, ...options }: OutputOptions & Tenant & { as?: string }) => {
      const place = { workspace, environment };
      const { result } = await governProven(sealValueSnapshot, place, () => unprovenPerson(as));
      const { uid, content, snapshotHash } = result;
      print({ uid, as_of: content.as_of, coverage: content.coverage, snapshot_hash: snapshotHash }, options);
    });
}
