import type { Command } from 'commander';
import type { Tenant } from '#lib/database/base.ts';
import { approveQlmVersion } from '#lib/qlms/registry/approve-version.command.ts';
import { changeQlmServing } from '#lib/qlms/registry/change-serving.command.ts';
import { findQlmVersions } from '#lib/qlms/registry/qlm.query.ts';
import type { ServingEvent } from '#lib/qlms/registry/states.ts';
import { governAs } from '../shell/govern.ts';
import { withPerson, type GovernedOptions } from '../shell/governed.ts';
import { askIn } from '../shell/ask.ts';
import { checkText, withJson } from '../shell/options.ts';
import { print, printRows, type OutputOptions } from '../shell/output.ts';
import { inPlaceOf } from '../shell/place.ts';
import { registerAsking } from './qlm-ask.ts';
import { registerEvaluate } from './qlm-evaluate.ts';
import { registerVersions } from './qlm-version.ts';

export function register(program: Command): void {
  const group = program.command('qlm');
  registerVersions(group);
  registerEvaluate(group);
  inPlaceOf(group.command('list'), 'list the versions, newest first').action(list);
  withPerson(withJson(group.command('approve <version>')))
    .description(
      'approve a version whose gate evaluation passed, and make it the serving version; neither its author nor the importer of its suite can approve it',
    )
    .action(async (version: string, options: OutputOptions & GovernedOptions) => {
      const { result } = await governAs(approveQlmVersion, { version }, options);
      print({ uid: version, version: result.version, state: 'approved' }, options);
    });
  changing(group, 'suspend', 'suspend a question model, so that it does not answer');
  changing(group, 'resume', 'resume a suspended question model; two persons must run this command');
  changing(group, 'retire', 'retire the serving version of a question model permanently');
  registerAsking(group);
}

function changing(group: Command, event: ServingEvent, description: string): void {
  const command = withPerson(withJson(group.command(`${event} <model>`))).description(description);
  const reason = '--reason <text>';
  if (event === 'resume') command.option(reason, 'the reason, stored with the change');
  else command.requiredOption(reason, 'the reason, stored with the change');
  command.action(async (model: string, options: OutputOptions & GovernedOptions & { reason?: string }) => {
    const given = options.reason === undefined ? null : checkText('--reason', options.reason);
    const { result } = await governAs(changeQlmServing, { model, event, reason: given }, options);
    print({ uid: model, ...result }, options);
  });
}

async function list({ workspace, environment, ...options }: OutputOptions & Tenant): Promise<void> {
  const found = await askIn({ workspace, environment }, findQlmVersions, { limit: 200 });
  printRows(found, options, ({ modelUid, versionUid, key, version, state, evaluation, serving }) => ({
    uid: modelUid,
    version_uid: versionUid,
    key,
    version,
    state,
    passed: evaluation?.passed ?? null,
    serving: serving?.versionUid === versionUid ? serving.state : null,
  }));
}
