import { InvalidArgumentError, type Command } from 'commander';
import { systemClock } from '#lib/core/clock.ts';
import {
  findOwnedDataset,
  KEEP_YEARS_MOST,
  retainedKinds,
  retentionOf,
  setRetention,
  type OwnedDataset,
} from '#lib/data/retention.repository.ts';
import { Application } from '#lib/workspace/application.entity.ts';
import type { Em } from '#lib/database/base.ts';
import { governingPerson, withPerson, type GovernedOptions } from './governed.ts';
import { asOperator, type Operator } from './operator.ts';
import { withJson } from './options.ts';
import { print, type OutputOptions } from './output.ts';
import { record } from './record.ts';
import { Refusal } from '#lib/core/refusal.ts';

type RetentionOptions = OutputOptions & GovernedOptions & { years?: number; forever?: true };

/** How long a dataset is kept. Without a change the command only shows it. */
export function registerRetention(group: Command): void {
  withPerson(withJson(group.command('retention <dataset>')))
    .description(
      'show or set how many years of observations a dataset keeps; what is older may be dropped for good',
    )
    .option('--years <number>', `1 to ${KEEP_YEARS_MOST}`, readYears)
    .option('--forever', 'keep everything, as a dataset does by itself')
    .action(async (uid: string, options: RetentionOptions) => {
      if (options.years !== undefined && options.forever) {
        throw new Refusal('contradiction', 'either --years or --forever');
      }
      const kept = await asOperator((operator) =>
        operator.everywhere(async (em) => {
          const dataset = await findOwnedDataset(em, uid);
          if (!dataset) throw new Refusal('dataset_unknown', `there is no dataset ${uid}`);
          if (options.years !== undefined || options.forever) {
            await change(em, operator, { ...dataset, keepYears: options.years ?? null }, options);
          }
          return retentionOf(em, dataset.id);
        }),
      );
      print({ uid, keep_years: kept.keepYears, set_at: kept.setAt }, options);
    });
}

type Change = OwnedDataset & { keepYears: number | null };

async function change(
  em: Em,
  operator: Operator,
  { id, uid, kind, workspace, keepYears }: Change,
  options: GovernedOptions,
): Promise<void> {
  if (!retainedKinds.includes(kind)) {
    throw new Refusal('dataset_kind_kept', `a dataset of ${kind} is kept as a whole`);
  }
  if (workspace === null) {
    throw new Refusal('dataset_of_platform', 'what the platform offers is kept for all who read it');
  }
  // The data are those of both environments, so a code is asked for as soon as production is in use.
  const isLive =
    (await em.count(
      Application,
      { workspaceUid: workspace, environment: 'production' },
      { filters: false },
    )) > 0;
  const place = { workspace, environment: isLive ? ('production' as const) : ('sandbox' as const) };
  const { uid: by } = await governingPerson(em, operator, place, options);
  await setRetention(em, { datasetId: id, workspace, keepYears, setBy: by, now: systemClock.now() });
  await record(em, {
    op: 'dataset.retention_set',
    workspace,
    by,
    subject: { type: 'dataset', uid },
    details: { keep_years: keepYears },
  });
}

function readYears(text: string): number {
  const years = Number(text);
  if (!Number.isInteger(years) || years < 1 || years > KEEP_YEARS_MOST) {
    throw new InvalidArgumentError(`a whole number of 1 to ${KEEP_YEARS_MOST}`);
  }
  return years;
}
