import type { Command } from 'commander';
import { rotateKey, signingKeys } from '#lib/trust/signing-key.command.ts';
import { listSigningKeys } from '#lib/trust/signing-key.write.ts';
import { workersKeyOf } from '../shell/governed.ts';
import { ask, asOperator } from '../shell/operator.ts';
import { withJson } from '../shell/options.ts';
import { print, printRows, type OutputOptions } from '../shell/output.ts';
import { unnamed } from '#lib/audit/entry.ts';
import { governBy } from '../shell/govern.ts';

export function register(program: Command): void {
  const group = program.command('signing-key');
  withJson(group.command('list'))
    .description('list the public keys, newest first')
    .action(async (options: OutputOptions) => {
      const keys = await ask('everywhere', listSigningKeys);
      printRows(keys, options, ({ keyid, x, validFrom, retiredAt, workspaces }) => ({
        keyid,
        public_key: x,
        valid_from: validFrom.toISOString(),
        retired_at: retiredAt?.toISOString() ?? null,
        imported_for: workspaces?.join(' ') ?? null,
      }));
    });
  withJson(group.command('rotate'))
    .description('sign with a new key from now on, and destroy the old private key')
    .action(async (options: OutputOptions) => {
      const { result } = await asOperator((operator) => {
        const secret = workersKeyOf(signingKeys, operator);
        return governBy(operator, rotateKey, { secret }, unnamed);
      });
      print({ keyid: result.keyid, public_key: result.x }, options);
    });
}
