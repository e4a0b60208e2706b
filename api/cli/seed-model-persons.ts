import { systemClock } from '#lib/core/clock.ts';
import type { Em } from '#lib/database/base.ts';
import { Person } from '#lib/workspace/person.entity.ts';
import { createPerson } from '#lib/workspace/provision.ts';
import { actingPerson } from './options.ts';
import { record } from './record.ts';

/** Uids of who writes the sample model and who approves it. */
export type ModelPersons = { author: string; approver: string };

const EMAIL = 'rita@demo.example';
const ROLES = ['controller'];

/** The owner of the sample workspace, and somebody else who is made where she is not there yet. */
export async function modelPersons(em: Em, workspace: string): Promise<ModelPersons> {
  const { uid: author } = await actingPerson(em, workspace, undefined);
  const known = await em.findOne(Person, { workspaceUid: workspace, email: EMAIL });
  if (known) return { author, approver: known.uid };
  const now = systemClock.now();
  const { uid } = createPerson(em, { workspace, name: 'Rita Reviewer', email: EMAIL, roles: ROLES, now });
  await record(em, {
    op: 'person.created',
    workspace,
    by: author,
    subject: { type: 'person', uid },
    details: { roles: ROLES },
  });
  return { author, approver: uid };
}
