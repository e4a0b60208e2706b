import type { Command } from 'commander';
import { decideVersion } from '#lib/models/registry/decide-version.command.ts';
import type { LqmEvent } from '#lib/models/registry/lqm.ts';
import { findLqms, type LqmInVersion } from '#lib/models/registry/lqm.query.ts';
import { withPerson, type GovernedOptions } from '../shell/governed.ts';
import { askIn } from '../shell/ask.ts';
import { inPlaceOf } from '../shell/place.ts';
import { governAs } from '../shell/govern.ts';
import type { Tenant } from '#lib/database/base.ts';
import { checkText, withJson } from '../shell/options.ts';
import { print, printRows, type OutputOptions } from '../shell/output.ts';
import { registerCreate } from './lqm-create.ts';
import { registerReview } from './lqm-review.ts';
import { registerRuns } from './lqm-run.ts';
import { registerHistory } from './lqm-history.ts';
import { wholeNumber } from '../shell/whole-number.ts';

export function register(program: Command): void {
  const group = program.command('lqm');
  registerCreate(group);
  inPlaceOf(group.command('list'), 'list the versions, newest first').action(list);
  withPerson(withJson(group.command('approve <model>')))
    .description(
      'approve a version for generative runs or predictions; the author of the version cannot approve it',
    )
    .option('--version <n>', 'the version (default: the newest)')
    .action((uid: string, options: DecideOptions) => decide('approve', uid, options));
  withPerson(withJson(group.command('retire <model>')))
    .description('retire a version permanently')
    .option('--version <n>', 'the version (default: the newest)')
    .requiredOption('--reason <text>', 'the reason, stored with the version')
    .action((uid: string, options: DecideOptions) => decide('retire', uid, options));
  registerRuns(group);
  registerHistory(group);
  registerReview(group);
}

async function list({ workspace, environment, ...options }: OutputOptions & Tenant): Promise<void> {
  printRows(await askIn({ workspace, environment }, findLqms, {}), options, row);
}

function row({
  modelUid,
  key,
  family,
  version,
  state,
  passed,
  serves,
  checkpointHash,
  definition,
}: LqmInVersion) {
  return {
    uid: modelUid,
    key,
    family,
    version,
    state,
    passed,
    serves,
    factors: definition.columns.length,
    checkpoint_hash: checkpointHash,
  };
}

type DecideOptions = OutputOptions & GovernedOptions & { version?: string; reason?: string };

async function decide(event: LqmEvent, model: string, options: DecideOptions): Promise<void> {
  const reason = options.reason === undefined ? undefined : checkText('--reason', options.reason);
  const version =
    options.version === undefined ? undefined : wholeNumber('--version', options.version, [1, 2 ** 31]);
  const { next, result } = await governAs(decideVersion, { model, version, event, reason }, options);
  print({ uid: model, version: result.version, state: next }, options);
}
