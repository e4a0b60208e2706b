import type { Command } from 'commander';
import { systemClock } from '#lib/core/clock.ts';
import { encryptionKey } from '#lib/core/encryption.ts';
import { workersKey, type WorkersKey } from '#lib/core/workers-key.ts';
import { workerPassword } from '#lib/database/roles.ts';
import type { ProofMeans } from '#lib/access/prove-person.command.ts';
import type { Operator } from './operator.ts';

export type GovernedOptions = { as?: string; code?: string };

/**
 * Adds the options of a command that changes authority: the person who gives the command and, in production,
 * that person's one-time code.
 */
export function withPerson(command: Command): Command {
  return command
    .option('--as <person>', 'the person who makes the change (default: the owner of the workspace)')
    .option('--code <code>', 'the one-time code of the person in --as; required in production');
}

/** Adds the options of a command that confirms a passkey or an identity. */
export function withConfirmer(command: Command): Command {
  return command
    .option('--as <person>', 'the person who confirms (default: the owner of the workspace)')
    .option('--code <code>', 'the one-time code of the person in --as; always required');
}

/** Adds the options of a command that shows a new secret of an application. */
export function withIssuer(command: Command): Command {
  return command
    .option('--as <person>', 'the issuer to record (default: the owner of the application)')
    .option('--code <code>', 'the one-time code of the person in --as; required in production');
}

/** Returns how this deployment authenticates persons. */
export function proofOf(operator: Pick<Operator, 'orm' | 'config' | 'databaseUrl'>): ProofMeans {
  return { orm: operator.orm, key: keyOf(operator), clock: systemClock };
}

/** Returns the key that the operator shares with the workers. */
export function workersKeyOf(
  key: WorkersKey,
  { config, ownerUrl }: Pick<Operator, 'config' | 'ownerUrl'>,
): Buffer {
  return workersKey(key, config, workerPassword(ownerUrl, config));
}

/** Returns the key that encrypts the secrets of this deployment. */
export function keyOf({ config, databaseUrl }: Pick<Operator, 'config' | 'databaseUrl'>): Buffer {
  return encryptionKey(config.ENCRYPTION_KEY, decodeURIComponent(new URL(databaseUrl).password));
}
