import { InvalidArgumentError, type Command } from 'commander';
import { Refusal } from '#lib/core/refusal.ts';
import { KEEP_YEARS_MAX } from '#lib/data/retention.ts';
import { retentionOf } from '#lib/data/retention.write.ts';
import { changeRetention } from '#lib/data/set-retention.command.ts';
import { environmentInUse } from '#lib/access/environment-in-use.query.ts';
import { proofOf, withPerson, type GovernedOptions } from '../shell/governed.ts';
import { asOperator } from '../shell/operator.ts';
import { withJson } from '../shell/options.ts';
import { print, type OutputOptions } from '../shell/output.ts';
import { provenInWorkspace } from '#lib/access/prove-person.command.ts';
import { governBy } from '../shell/govern.ts';

type RetentionOptions = OutputOptions & GovernedOptions & { years?: number; forever?: true };

/**
 * Registers the command that sets the retention period of a dataset. Without an option that changes the
 * period, the command only shows the period.
 */
export function registerRetention(group: Command): void {
  withPerson(withJson(group.command('retention <dataset>')))
    .description(
      'show or set how many years of observations a dataset keeps; older observations may be deleted permanently',
    )
    .option('--years <number>', `the number of years to keep, 1 to ${KEEP_YEARS_MAX}`, readYears)
    .option('--forever', 'keep all observations (the default)')
    .action(async (uid: string, options: RetentionOptions) => {
      const { years, forever } = options;
      if (years !== undefined && forever) {
        throw new Refusal('contradiction', 'give either --years or --forever');
      }
      const kept = await asOperator(async (operator) => {
        if (years !== undefined || forever) {
          // Both environments share the data, so the person must present a one-time code as soon as the workspace has a
          // production application.
          const actor = provenInWorkspace(proofOf(operator), options, environmentInUse);
          await governBy(operator, changeRetention, { uid, keepYears: years ?? null }, actor);
        }
        return operator.query('everywhere', retentionOf, uid);
      });
      if (!kept) throw new Refusal('dataset_unknown', `there is no dataset ${uid}`);
      print({ uid, keep_years: kept.keepYears, set_at: kept.setAt }, options);
    });
}

function readYears(text: string): number {
  const years = Number(text);
  if (!Number.isInteger(years) || years < 1 || years > KEEP_YEARS_MAX) {
    throw new InvalidArgumentError(`a whole number of 1 to ${KEEP_YEARS_MAX}`);
  }
  return years;
}
