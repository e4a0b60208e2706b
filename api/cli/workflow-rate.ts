import { InvalidArgumentError, type Command } from 'commander';
import { systemClock } from '#lib/core/clock.ts';
import { newUid } from '#lib/core/id.ts';
import { minorDigits } from '#lib/core/money.ts';
import { prefixes } from '#lib/core/prefix.ts';
import { setRate } from '#lib/workflows/rate.repository.ts';
import { withPerson, type GovernedOptions } from './governed.ts';
import { inPlaceAs, type Place } from './on-batch.ts';
import { withJson } from './options.ts';
import { print, type OutputOptions } from './output.ts';
import { placeOption } from './place-option.ts';
import { record } from './record.ts';
import { Refusal } from '#lib/core/refusal.ts';

type RateOptions = OutputOptions & GovernedOptions & Place & { currency: string; computeSecondMicro: number };

/** What a second of computing costs the runs of workflows. */
export function registerRate(group: Command): void {
  withPerson(withJson(group.command('rate')))
    .description('say what a second of computing costs, from now on; before that nothing has a price')
    .requiredOption('--workspace <uid>')
    .addOption(placeOption())
    .requiredOption('--currency <code>', 'ISO 4217')
    .requiredOption('--compute-second-micro <integer>', 'in millionths of the currency', micro)
    .action(async (options: RateOptions) => {
      const { currency, computeSecondMicro, workspace, environment } = options;
      if (minorDigits(currency) === undefined) {
        throw new Refusal('invalid_currency', `${currency} is no currency in force`);
      }
      const uid = newUid(prefixes.workflowRate);
      const since = systemClock.now();
      await inPlaceAs(options, options, async (em, { uid: by }) => {
        await setRate(em, { uid, currency, computeSecondMicro, by, since });
        await record(em, {
          op: 'workflow.rate_set',
          workspace,
          environment,
          by,
          subject: { type: 'workflow_rate', uid },
        });
      });
      const told = { uid, currency, compute_second_micro: computeSecondMicro, since: since.toISOString() };
      print(told, options);
    });
}

function micro(text: string): number {
  if (!/^\d{1,12}$/.test(text)) throw new InvalidArgumentError('it takes an integer of 12 digits at most');
  return Number(text);
}
