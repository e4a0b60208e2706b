import type { Em } from '#lib/database/orm.ts';
import { Application } from '#lib/workspace/application.entity.ts';
import { activePerson } from './options.ts';
import { Refusal } from './refusal.ts';

export async function findApplication(em: Em, uid: string): Promise<Application> {
  const application = await em.findOne(Application, { uid }, { filters: false });
  if (!application) throw unknownApplication(uid);
  return application;
}

/** The issuer on record of a credential: the person named by `--as`, or the application's owner. */
export async function issuerOf(
  em: Em,
  application: Pick<Application, 'workspaceUid' | 'ownerUid'>,
  as: string | undefined,
): Promise<string> {
  return (await activePerson(em, application.workspaceUid, as ?? application.ownerUid)).uid;
}

export function unknownApplication(uid: string): Refusal {
  return new Refusal('application_unknown', `there is no application ${uid}`);
}
