import type { Command } from 'commander';
import { systemClock } from '#lib/core/clock.ts';
import { listConnections } from '#lib/ai/connection.repository.ts';
import type { Environment } from '#lib/database/base.ts';
import { chooseWording } from '#lib/intelligence/wording.repository.ts';
import { governingPerson, withPerson, type GovernedOptions } from './governed.ts';
import { asOperator } from './operator.ts';
import { findWorkspace, withJson } from './options.ts';
import { print, type OutputOptions } from './output.ts';
import { placeOption } from './place-option.ts';
import { record } from './record.ts';
import { Refusal } from '#lib/core/refusal.ts';

type WordingOptions = OutputOptions &
  GovernedOptions & { workspace: string; environment: Environment; connection?: string; model?: string };

/** Whether the summary of a workspace is put into words, and by what. */
export function registerWording(group: Command): void {
  withPerson(withJson(group.command('wording')))
    .description('have figures of the summary put into words by a connection; without one: no more')
    .requiredOption('--workspace <uid>')
    .addOption(placeOption())
    .option('--connection <uid>')
    .option('--model <model>', 'default: the first of the connection')
    .action(async (options: WordingOptions) => {
      const { workspace, environment, connection } = options;
      const choice = await asOperator((operator) =>
        operator.inWorkspace(
          workspace,
          async (em) => {
            await findWorkspace(em, workspace);
            const { uid: by } = await governingPerson(em, operator, { workspace, environment }, options);
            const [found] = connection === undefined ? [] : await listConnections(em, connection);
            if (connection !== undefined && found?.state !== 'active') {
              throw new Refusal('connection_unknown', `there is no active connection ${connection}`);
            }
            const model = options.model ?? found?.models[0];
            if (found && !found.models.includes(model!)) {
              throw new Refusal('model_not_allowed', `the connection may not ask ${model}`);
            }
            const chosen = found ? { connection: found.uid, model: model! } : null;
            await chooseWording(em, chosen, { by, now: systemClock.now() });
            const subject = { type: 'workspace', uid: workspace };
            const details = { connection: chosen?.connection ?? null, model: chosen?.model ?? null };
            await record(em, { op: 'ai.wording_set', workspace, environment, by, subject, details });
            return chosen;
          },
          environment,
        ),
      );
      print(
        { workspace, environment, connection: choice?.connection ?? null, model: choice?.model ?? null },
        options,
      );
    });
}
