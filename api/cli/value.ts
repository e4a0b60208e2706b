import type { Command } from 'commander';
import { systemClock } from '#lib/core/clock.ts';
import { sealSnapshot } from '#lib/commercial/value-snapshot.repository.ts';
import type { Environment } from '#lib/database/base.ts';
import { asOperator } from './operator.ts';
import { actingPerson, findWorkspace, withJson } from './options.ts';
import { print, type OutputOptions } from './output.ts';
import { placeOption } from './place-option.ts';

type Options = OutputOptions & { workspace: string; environment: Environment; as?: string };

export function register(program: Command): void {
  const group = program
    .command('value')
    .description('what the financial actions of a workspace have come to');
  withJson(group.command('snapshot'))
    .description('seal a snapshot now, instead of waiting for the clock')
    .requiredOption('--workspace <uid>')
    .addOption(placeOption())
    .option('--as <person>', 'who does it; the owner by default')
    .action(async (options: Options) => {
      const { workspace, environment } = options;
      const snapshot = await asOperator((operator) =>
        operator.inWorkspace(
          workspace,
          async (em) => {
            await findWorkspace(em, workspace);
            const { uid } = await actingPerson(em, workspace, options.as);
            return sealSnapshot(em, { now: systemClock.now(), actor: { kind: 'person', uid } });
          },
          environment,
        ),
      );
      const { uid, content, snapshotHash } = snapshot;
      print({ uid, as_of: content.as_of, coverage: content.coverage, snapshot_hash: snapshotHash }, options);
    });
}
