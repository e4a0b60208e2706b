import { addPerson } from '#lib/access/add-person.command.ts';
import { actingPerson, listPersons } from '#lib/access/person.query.ts';
import { governWith, person, type SampleOperators } from './sample-operators.ts';

/** The uids of the sample model's author and approver. */
export type ModelPersons = { author: string; approver: string };

const EMAIL = 'rita@demo.example';

/** Returns the owner of the sample workspace and a second person, who is added if missing. */
export async function modelPersons(operators: SampleOperators, workspace: string): Promise<ModelPersons> {
  const { uid: author } = await operators.query('everywhere', actingPerson, workspace, undefined);
  const persons = await operators.query('everywhere', listPersons, workspace);
  const known = persons.find(({ email }) => email === EMAIL);
  if (known) return { author, approver: known.uid };
  const rita = { workspace, name: 'Rita Reviewer', email: EMAIL, roles: ['controller'] };
  return { author, approver: (await governWith(operators, addPerson, rita, person(author))).result.uid };
}
