import { readFile } from 'node:fs/promises';
import type { Command } from 'commander';
import { Refusal } from '#lib/core/refusal.ts';
import type { Tenant } from '#lib/database/base.ts';
import type { LqmChoice } from '#lib/qlms/registry/definition.query.ts';
import { importSuite } from '#lib/qlms/registry/import-suite.command.ts';
import type { QlmVersion } from '#lib/qlms/registry/qlm.entity.ts';
import { changeQlm, createQlm } from '#lib/qlms/registry/write-version.command.ts';
import { readJson } from '../quant/read-json.ts';
import { governAs } from '../shell/govern.ts';
import { withPerson, type GovernedOptions } from '../shell/governed.ts';
import { checkText, withJson } from '../shell/options.ts';
import { print, type OutputOptions } from '../shell/output.ts';
import { inPlaceOf } from '../shell/place.ts';
import { wholeNumber } from '../shell/whole-number.ts';

type Governed = OutputOptions & GovernedOptions;

/** Registers the commands that write the versions and suites of question models. */
export function registerVersions(group: Command): void {
  withPerson(inPlaceOf(group.command('create'), 'create a question model with its first version'))
    .requiredOption('--key <key>', 'the key of the model, unique in the workspace')
    .requiredOption('--name <name>', 'the display name of the model')
    .requiredOption('--profile <file>', 'a JSON file with the profile of the version')
    .option('--lqm <key[@version]>', 'bind the version to an approved numeric model')
    .action(create);
  withPerson(withJson(group.command('revise <model>')))
    .description('write the next version of a question model, with another profile')
    .requiredOption('--profile <file>', 'a JSON file with the profile of the version')
    .action(async (model: string, options: Governed & { profile: string }) => {
      const written = await readJson(options.profile);
      print(present((await governAs(changeQlm, { model, written }, options)).result), options);
    });
  withPerson(withJson(group.command('rebind <model>')))
    .description('write the next version of a question model, bound to another numeric model')
    .requiredOption('--lqm <key[@version]>', 'the approved numeric model')
    .action(async (model: string, options: Governed & { lqm: string }) => {
      const lqm = choiceOf(options.lqm);
      print(present((await governAs(changeQlm, { model, lqm }, options)).result), options);
    });
  const suite = group.command('suite').description('suites of cases with the expected answers');
  withPerson(inPlaceOf(suite.command('import <file>'), 'import a suite: one case as JSON in each line'))
    .requiredOption('--key <key>', 'the key of the suite, by which the gate of a profile names it')
    .action(importFile);
}

type CreateOptions = Governed & Tenant & { key: string; name: string; profile: string; lqm?: string };

async function create(options: CreateOptions): Promise<void> {
  const { workspace, environment, key, lqm } = options;
  const name = checkText('--name', options.name);
  const written = await readJson(options.profile);
  const input = {
    workspace,
    environment,
    key,
    name,
    written,
    lqm: lqm === undefined ? null : choiceOf(lqm),
  };
  print({ key, ...present((await governAs(createQlm, input, options)).result) }, options);
}

function present({ uid, modelUid, version, changeKind, contentHash, profile }: QlmVersion) {
  return {
    uid: modelUid,
    version_uid: uid,
    version,
    change_kind: changeKind,
    content_hash: contentHash,
    bound_lqm: profile.bound_lqm,
  };
}

/** Parses the choice of a numeric model: `key` or `key@version`. */
function choiceOf(text: string): LqmChoice {
  const [key = '', version] = text.split('@');
  return version === undefined ? { key } : { key, version: wholeNumber('--lqm', version, [1, 2 ** 31]) };
}

async function importFile(file: string, options: Governed & Tenant & { key: string }): Promise<void> {
  const { workspace, environment, key } = options;
  const text = await readFile(file, 'utf8').catch(() => {
    throw new Refusal('file_unreadable', `cannot read ${file}`);
  });
  const { result } = await governAs(importSuite, { workspace, environment, key, text }, options);
  const { uid, contentHash, caseCount } = result.suite;
  print({ uid, key, cases: caseCount, content_hash: contentHash, already_imported: !result.isNew }, options);
}
