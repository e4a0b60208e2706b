import type { Command } from 'commander';
import { confirmCodes, removeCodes } from '#lib/access/change-codes.command.ts';
import { fingerprintOf } from '#lib/access/person-code.ts';
import { provenConfirmer, provenLinker } from '#lib/access/prove-person.command.ts';
import { withConfirmer, withPerson, type GovernedOptions } from '../shell/governed.ts';
import { governProven } from '../shell/govern.ts';
import { withJson } from '../shell/options.ts';
import { print, type OutputOptions } from '../shell/output.ts';

type Options = OutputOptions & GovernedOptions;

/** Registers the commands for the one-time codes of other persons, who set up the codes in the console. */
export function registerCodeCommands(group: Command): void {
  withConfirmer(withJson(group.command('confirm-codes <person>')))
    .description(
      "confirm another person's one-time codes, which then count in production; whoever linked the identity of that person, or issued the sign-in link, cannot confirm them",
    )
    .requiredOption(
      '--fingerprint <text>',
      'the fingerprint of the codes, which the person reads on the page Account of the console',
    )
    .action(async (person: string, { fingerprint, ...options }: Options & { fingerprint: string }) => {
      const given = { person, fingerprint };
      const { result } = await governProven(confirmCodes, given, (means) => provenConfirmer(means, options));
      const { state, confirmedByUid } = result;
      print(
        { uid: person, state, fingerprint: fingerprintOf(result), confirmed_by: confirmedByUid },
        options,
      );
    });
  withPerson(withJson(group.command('remove-codes <person>')))
    .description('remove the one-time codes of another person, who has lost the authenticator')
    .action(async (person: string, options: Options) => {
      await governProven(removeCodes, { person }, (means) => provenLinker(means, options));
      print({ uid: person, codes: 'removed' }, options);
    });
}
