import type { Command } from 'commander';
import { systemClock } from '#lib/core/clock.ts';
import { Counterparty, type CounterpartyKind } from '#lib/workspace/counterparty.entity.ts';
import { suspendUnsupportedEverywhere } from '#lib/actions/delegation/support.repository.ts';
import { lockControl } from '#lib/governance/governed/control-lock.repository.ts';
import { asOperator } from './operator.ts';
import { actingPerson, checkText, findWorkspace, withJson } from './options.ts';
import { print, printRows, type OutputOptions } from './output.ts';
import { record } from './record.ts';
import { Refusal } from '#lib/core/refusal.ts';

type CreateOptions = OutputOptions & { workspace: string; name: string; key?: string; as?: string };

export function register(program: Command): void {
  registerKind(program, 'counterparty', 'whom the workspace deals with');
}

/** The commands of one kind of party: create, list and archive. */
export function registerKind(program: Command, kind: CounterpartyKind, about: string): void {
  const group = program.command(kind).description(about);
  const create = withJson(group.command('create'))
    .description('create one; the answer has its integer id')
    .requiredOption('--workspace <uid>')
    .requiredOption('--name <name>')
    .option('--as <person>', 'who does it (default: the owner of the workspace)');
  if (kind === 'custodian')
    create.requiredOption('--key <word>', 'by which evidence names it, such as bny_main');
  create.action(async (options: CreateOptions) => {
    const name = checkText('--name', options.name);
    const key = options.key === undefined ? null : checkText('--key', options.key);
    const made = await asOperator((operator) =>
      operator.everywhere(async (em) => {
        const { uid: workspaceUid } = await findWorkspace(em, options.workspace);
        if (await em.findOne(Counterparty, { workspaceUid, kind, name }, { filters: false })) {
          throw new Refusal(`${kind}_exists`, `the workspace has a ${kind} named ${name}`);
        }
        const { uid: by } = await actingPerson(em, workspaceUid, options.as);
        const created = em.create(Counterparty, {
          workspaceUid,
          kind,
          key,
          name,
          state: 'active',
          createdAt: systemClock.now(),
        });
        await em.flush();
        const subject = { type: kind, uid: String(created.id) };
        await record(em, { op: `${kind}.created`, workspace: workspaceUid, by, subject });
        return created;
      }),
    );
    print({ id: made.id, name, ...(key === null ? {} : { key }) }, options);
  });
  registerArchive(group, kind);
  withJson(group.command('list'))
    .description('list them')
    .requiredOption('--workspace <uid>')
    .action(async (options: OutputOptions & { workspace: string }) => {
      const all = await asOperator((operator) =>
        operator.inWorkspace(options.workspace, (em) =>
          em.find(Counterparty, { kind }, { orderBy: { id: 'asc' } }),
        ),
      );
      printRows(
        all.map(({ id, name, key, state }) => ({ id, name, key, state })),
        options,
      );
    });
}

/** To take a party away one person is enough: what rests on it is suspended. */
function registerArchive(group: Command, kind: CounterpartyKind): void {
  withJson(group.command('archive <id>'))
    .description('take it out of use for ever; delegations for it are suspended')
    .requiredOption('--workspace <uid>')
    .requiredOption('--reason <text>', 'why; the audit log keeps it')
    .option('--as <person>', 'who does it (default: the owner of the workspace)')
    .action(
      async (id: string, options: OutputOptions & { workspace: string; reason: string; as?: string }) => {
        const reason = checkText('--reason', options.reason);
        const archived = await asOperator((operator) =>
          operator.everywhere(async (em) => {
            const { uid: workspaceUid } = await findWorkspace(em, options.workspace);
            await lockControl(em, workspaceUid, 'change');
            const { uid: by } = await actingPerson(em, workspaceUid, options.as);
            const found = /^[1-9]\d{0,8}$/.test(id)
              ? await em.findOne(Counterparty, { id: Number(id), workspaceUid, kind }, { filters: false })
              : null;
            if (found?.state !== 'active') {
              throw new Refusal(`${kind}_unknown`, `the workspace has no ${kind} ${id} in use`);
            }
            found.state = 'archived';
            await em.flush();
            const subject = { type: kind, uid: id };
            await record(em, {
              op: `${kind}.archived`,
              workspace: workspaceUid,
              by,
              subject,
              details: { reason },
            });
            await suspendUnsupportedEverywhere(em, workspaceUid, systemClock.now());
            return found;
          }),
        );
        print({ id: archived.id, name: archived.name, state: archived.state }, options);
      },
    );
}
