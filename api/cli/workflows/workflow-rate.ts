import { InvalidArgumentError, type Command } from 'commander';
import type { Tenant } from '#lib/database/base.ts';
import { setRate } from '#lib/workflows/set-rate.command.ts';
import { withPerson, type GovernedOptions } from '../shell/governed.ts';
import { withJson } from '../shell/options.ts';
import { print, type OutputOptions } from '../shell/output.ts';
import { withPlace } from '../shell/place.ts';
import { governAs } from '../shell/govern.ts';

type RateOptions = OutputOptions &
  GovernedOptions &
  Tenant & { currency: string; computeSecondMicro: number };

/** Registers the commands for the price of a second of computing in workflow runs. */
export function registerRate(group: Command): void {
  withPlace(withPerson(withJson(group.command('rate'))))
    .description(
      'set the price of a second of computing time from now on; without a rate, computing time has no price',
    )
    .requiredOption('--currency <code>', 'the currency of the price, ISO 4217')
    .requiredOption(
      '--compute-second-micro <integer>',
      'the price, in millionths of the major unit of the currency',
      micro,
    )
    .action(async (options: RateOptions) => {
      const { currency, computeSecondMicro, workspace, environment } = options;
      const { result } = await governAs(
        setRate,
        { workspace, environment, currency, computeSecondMicro },
        options,
      );
      const { uid, since } = result;
      print({ uid, currency, compute_second_micro: computeSecondMicro, since: since.toISOString() }, options);
    });
}

function micro(text: string): number {
  if (!/^\d{1,12}$/.test(text)) throw new InvalidArgumentError('takes an integer of at most 12 digits');
  return Number(text);
}
