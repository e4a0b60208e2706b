import type { Command } from 'commander';
import { confirmPasskey, removePasskey } from '#lib/access/passkeys/change-passkey.command.ts';
import type { Passkey } from '#lib/access/passkeys/passkey.entity.ts';
import { passkeysOf } from '#lib/access/passkeys/passkey.query.ts';
import { provenConfirmer, provenInWorkspace } from '#lib/access/prove-person.command.ts';
import { withConfirmer, withPerson, type GovernedOptions } from '../shell/governed.ts';
import { governProven } from '../shell/govern.ts';
import { ask } from '../shell/operator.ts';
import { withJson } from '../shell/options.ts';
import { print, printRows, type OutputOptions } from '../shell/output.ts';

type Options = OutputOptions & GovernedOptions;

/** Registers the commands for the passkeys of a person. Persons add passkeys in the console. */
export function registerPasskeys(group: Command): void {
  withJson(group.command('passkeys <person>'))
    .description('list the passkeys of a person')
    .action(async (person: string, options: OutputOptions) => {
      printRows(await ask('everywhere', passkeysOf, person), options, summaryOf);
    });
  withConfirmer(withJson(group.command('confirm-passkey <passkey>')))
    .description(
      "confirm another person's passkey, so that it can sign in production; who linked an identity to that person, or issued the sign-in link behind the passkey, cannot",
    )
    .action(async (passkey: string, options: Options) => {
      const { result } = await governProven(confirmPasskey, { passkey }, (means) =>
        provenConfirmer(means, options),
      );
      print(summaryOf(result), options);
    });
  withPerson(withJson(group.command('remove-passkey <passkey>')))
    .description('remove a passkey permanently; the votes that it signed remain valid')
    .action(async (passkey: string, options: Options) => {
      const { result } = await governProven(removePasskey, { passkey }, (means) =>
        provenInWorkspace(means, options),
      );
      print(summaryOf(result), options);
    });
}

function summaryOf({ uid, name, state, registeredAt, confirmedByUid, usedAt }: Passkey) {
  return {
    uid,
    name,
    state,
    registered_at: registeredAt.toISOString(),
    confirmed_by: confirmedByUid,
    used_at: usedAt?.toISOString() ?? null,
  };
}
