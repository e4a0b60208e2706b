import type { Command } from 'commander';
import { systemClock } from '#lib/core/clock.ts';
import { encryptionKey } from '#lib/core/encryption.ts';
import type { Em, Tenant } from '#lib/database/base.ts';
import * as proof from '#lib/workspace/prove-person.command.ts';
import type { Operator } from './operator.ts';

export type GovernedOptions = { as?: string; code?: string };

/** A command that changes authority: somebody by name does it and, in production, proves to be there. */
export function withPerson(command: Command): Command {
  return command
    .option('--as <person>', 'who does it (default: the owner of the workspace)')
    .option('--code <code>', "that person's one-time code; needed in production");
}

/** A command that shows a new secret of an application. */
export function withIssuer(command: Command): Command {
  return command
    .option('--as <person>', 'the issuer on record (default: the owner of the application)')
    .option('--code <code>', "that person's one-time code; needed in production");
}

/** What proves persons on this deployment. */
export function proofOf(operator: Pick<Operator, 'orm' | 'config' | 'databaseUrl'>): proof.ProofMeans {
  return { orm: operator.orm, key: keyOf(operator), clock: systemClock };
}

/** What encrypts the secrets of this deployment. */
export function keyOf({ config, databaseUrl }: Pick<Operator, 'config' | 'databaseUrl'>): Buffer {
  return encryptionKey(config.ENCRYPTION_KEY, decodeURIComponent(new URL(databaseUrl).password));
}

/** As in `lib/workspace`, for commands that open their transactions themselves. */
export function governingPerson(em: Em, operator: Operator, place: Tenant, options: GovernedOptions) {
  return proof.governingPerson(em, proofOf(operator), place, options);
}

/** As in `lib/workspace`, for commands that open their transactions themselves. */
export function personMaker(em: Em, operator: Operator, workspace: string, options: GovernedOptions) {
  return proof.personMaker(em, proofOf(operator), workspace, options);
}
