import { Option, type Command } from 'commander';
import { isDate } from '#lib/core/date.ts';
import type { Query } from '#lib/database/base.ts';
import { versionCard } from '#lib/models/training/model-history.query.ts';
import { lqmPlace } from '#lib/models/registry/lqm-place.query.ts';
import {
  servingAtEndOf,
  servingPeriods,
  type ServingPeriod,
} from '#lib/models/registry/lqm-serving.repository.ts';
import { asOperator } from './operator.ts';
import { withJson } from './options.ts';
import { print, printRows, type OutputOptions } from './output.ts';
import { Refusal } from '#lib/core/refusal.ts';
import { wholeNumber } from './whole-number.ts';

/** `assay lqm serving` and `assay lqm card`: what a model was and is. */
export function registerHistory(group: Command): void {
  withJson(group.command('serving'))
    .description('when each version of a model served, or which one served at the end of a day (UTC)')
    .requiredOption('--model <uid>')
    .option('--on <day>', 'YYYY-MM-DD')
    .action(serving);
  withJson(group.command('card <model>'))
    .description('what a version is, was trained on, was found to do, who decided on it, and its limits')
    .addOption(
      new Option('--version <n>', 'default: the newest').argParser((text) =>
        wholeNumber('--version', text, [1, 2 ** 31 - 1]),
      ),
    )
    .action(card);
}

async function serving({
  model,
  on,
  ...options
}: OutputOptions & { model: string; on?: string }): Promise<void> {
  if (on !== undefined && !isDate(on))
    throw new Refusal('date_invalid', '--on takes a day such as 2026-11-21');
  const found = await askAbout(model, servingPeriods, model);
  if (on === undefined) return printRows(found.map(wordsOf), options);
  const then = servingAtEndOf(on, found);
  print(
    {
      model,
      on,
      ...(then
        ? wordsOf(then)
        : { version: null, version_uid: null, purpose: null, since: null, until: null, set_by: null }),
    },
    options,
  );
}

function wordsOf({ version, versionUid, purpose, since, until, setBy }: ServingPeriod) {
  return { version, version_uid: versionUid, purpose, since, until, set_by: setBy };
}

async function card(
  model: string,
  { version, ...options }: OutputOptions & { version?: number },
): Promise<void> {
  print(await askAbout(model, versionCard, model, version), options);
}

/** A query in the workspace and environment of a model. */
function askAbout<A extends readonly unknown[], T>(uid: string, query: Query<A, T>, ...args: A): Promise<T> {
  return asOperator(async (operator) => {
    const place = await operator.query('everywhere', lqmPlace, uid);
    if (!place) throw new Refusal('model_unknown', 'there is no such numeric model');
    return operator.query(place, query, ...args);
  });
}
