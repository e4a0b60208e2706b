import type { Command } from 'commander';
import { isDate } from '#lib/core/date.ts';
import { versionCard } from '#lib/models/training/model-history.query.ts';
import { lqmPlace } from '#lib/models/registry/lqm-place.query.ts';
import {
  servingAtEndOf,
  servingPeriods,
  type ServingPeriod,
} from '#lib/models/registry/lqm-serving.query.ts';
import { withJson } from '../shell/options.ts';
import { print, printRows, type OutputOptions } from '../shell/output.ts';
import { Refusal } from '#lib/core/refusal.ts';
import { askAbout } from '../shell/ask.ts';
import { versionOption } from '../shell/whole-number.ts';

const lqms = {
  placeOf: lqmPlace,
  unknown: new Refusal('model_unknown', 'there is no such numeric model'),
};

/** Registers `assay lqm serving` and `assay lqm card`, which show the history of a model. */
export function registerHistory(group: Command): void {
  withJson(group.command('serving'))
    .description(
      'show when each version of a model was the serving version, or the serving version at the end of a day (UTC)',
    )
    .requiredOption('--model <uid>', 'the uid of the numeric model')
    .option('--on <day>', 'the day, YYYY-MM-DD')
    .action(serving);
  withJson(group.command('card <model>'))
    .description('show a version: its definition, training, evaluation, approvals and limits')
    .addOption(versionOption())
    .action(card);
}

async function serving({
  model,
  on,
  ...options
}: OutputOptions & { model: string; on?: string }): Promise<void> {
  if (on !== undefined && !isDate(on))
    throw new Refusal('date_invalid', '--on takes a day such as 2026-11-21');
  const found = await askAbout(model, lqms, servingPeriods);
  if (on === undefined) return printRows(found, options, wordsOf);
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
  print(await askAbout(model, lqms, versionCard, version), options);
}
