import type { Command } from 'commander';
import type { Em } from '#lib/database/base.ts';
import { Application } from '#lib/workspace/application.entity.ts';
import { governingPerson, type GovernedOptions } from './governed.ts';
import type { Operator } from './operator.ts';
import { Refusal } from '#lib/core/refusal.ts';

export async function findApplication(em: Em, uid: string): Promise<Application> {
  const application = await em.findOne(Application, { uid }, { filters: false });
  if (!application) throw unknownApplication(uid);
  return application;
}

/** A command that shows a new secret of an application. */
export function withIssuer(command: Command): Command {
  return command
    .option('--as <person>', 'the issuer on record (default: the owner of the application)')
    .option('--code <code>', "that person's one-time code; needed in production");
}

/**
 * The issuer on record of a credential, who is shown its secret: the person named by `--as`, or the application's owner.
 * In production they prove to be there.
 */
export async function issuerOf(
  em: Em,
  operator: Operator,
  { workspaceUid: workspace, environment, ownerUid }: Application,
  { as = ownerUid, code }: GovernedOptions,
): Promise<string> {
  const options = { as, ...(code === undefined ? {} : { code }) };
  return (await governingPerson(em, operator, { workspace, environment }, options)).uid;
}

export function unknownApplication(uid: string): Refusal {
  return new Refusal('application_unknown', `there is no application ${uid}`);
}
