import type { Command } from 'commander';
import { systemClock } from '#lib/core/clock.ts';
import { ModelAlias, ModelVersion } from '#lib/registry/model.entity.ts';
import { servingVersion } from '#lib/registry/model.repository.ts';
import { asOperator } from './operator.ts';
import { actingPerson, findWorkspace, withJson } from './options.ts';
import { print, printRows, type OutputOptions } from './output.ts';
import { record } from './record.ts';
import { Refusal } from '#lib/core/refusal.ts';

type SetOptions = OutputOptions & { workspace: string; as?: string; version?: string };

export function register(program: Command): void {
  const group = program.command('model').description('the model registry');
  withJson(group.command('list'))
    .description('list the models, and the version that serves a workspace')
    .requiredOption('--workspace <uid>')
    .action(async (options: OutputOptions & { workspace: string }) => {
      const rows = await asOperator((operator) =>
        operator.inWorkspace(options.workspace, async (em) => {
          await findWorkspace(em, options.workspace);
          const versions = await em.find(ModelVersion, {}, { orderBy: { key: 'asc', version: 'asc' } });
          return Promise.all(
            versions.map(async ({ key, version, state, approvedBy }) => ({
              key,
              version,
              state,
              approved_by: approvedBy ?? null,
              active: (await servingVersion(em, key)) === version,
            })),
          );
        }),
      );
      printRows(rows, options);
    });
  withJson(group.command('activate <key>'))
    .description('let an approved version serve the workspace')
    .requiredOption('--workspace <uid>')
    .requiredOption('--version <version>')
    .option('--as <person>')
    .action((key: string, options: SetOptions) => setActive(key, options, options.version ?? null));
  withJson(group.command('deactivate <key>'))
    .description('let no version serve the workspace: its runs are refused')
    .requiredOption('--workspace <uid>')
    .option('--as <person>')
    .action((key: string, options: SetOptions) => setActive(key, options, null));
}

async function setActive(key: string, options: SetOptions, version: string | null): Promise<void> {
  await asOperator((operator) =>
    operator.inWorkspace(options.workspace, async (em) => {
      await findWorkspace(em, options.workspace);
      const known = await em.find(ModelVersion, { key });
      if (known.length === 0) throw new Refusal('model_unknown', `there is no model ${key}`);
      if (version !== null && !known.some((each) => each.version === version && each.state === 'approved')) {
        throw new Refusal('model_not_approved', `version ${version} of ${key} is not approved`);
      }
      const person = await actingPerson(em, options.workspace, options.as);
      em.create(ModelAlias, {
        workspaceUid: options.workspace,
        key,
        alias: 'active',
        version,
        setBy: person.uid,
        since: systemClock.now(),
      });
      await record(em, {
        op: version === null ? 'model.deactivated' : 'model.activated',
        workspace: options.workspace,
        by: person.uid,
        subject: { type: 'model', uid: key, version: version ?? undefined },
      });
    }),
  );
  print({ key, workspace: options.workspace, active: version }, options);
}
