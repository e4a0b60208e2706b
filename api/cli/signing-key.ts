import type { Command } from 'commander';
import { systemClock } from '#lib/core/clock.ts';
import { listSigningKeys, rotateSigningKey } from '#lib/trust/signing-key.repository.ts';
import { asOperator } from './operator.ts';
import { withJson } from './options.ts';
import { print, printRows, type OutputOptions } from './output.ts';
import { recordEverywhere } from './record.ts';
import { workersSecret } from './signing-secret.ts';

export function register(program: Command): void {
  const group = program.command('signing-key').description('the keys that sign evidence packs');
  withJson(group.command('list'))
    .description('list the keys, newest first, by their public halves')
    .action(async (options: OutputOptions) => {
      const keys = await asOperator((operator) => operator.everywhere(listSigningKeys));
      printRows(
        keys.map(({ keyid, x, validFrom, retiredAt }) => ({
          keyid,
          public_key: x,
          valid_from: validFrom.toISOString(),
          retired_at: retiredAt?.toISOString() ?? null,
        })),
        options,
      );
    });
  withJson(group.command('rotate'))
    .description('sign with a new key from now on, and destroy the private half of the old one')
    .action(async (options: OutputOptions) => {
      const made = await asOperator(({ config, ownerUrl, everywhere }) =>
        everywhere(async (em) => {
          const key = await rotateSigningKey(em, workersSecret(ownerUrl, config), systemClock.now());
          await recordEverywhere(em, {
            op: 'signing_key.rotated',
            subject: { type: 'signing_key', uid: key.keyid },
          });
          return key;
        }),
      );
      print({ keyid: made.keyid, public_key: made.x }, options);
    });
}
