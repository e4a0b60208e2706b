import { defineCommand, type WholeWorkspace } from '#lib/governance/command.ts';
import { lockControl } from '#lib/governance/governed/control-lock.query.ts';
import { storePersonCode } from './person-code.write.ts';
import { Person } from './person.entity.ts';

type Input = {
  person: string;
  /** The key that encrypts the secrets of one-time codes. */
  key: Buffer;
};

/**
 * Creates a new one-time code secret for a person. The codes of an earlier secret become invalid. Only the
 * result contains the secret in clear text.
 */
export const enrolPerson = defineCommand<Input>()({
  async find(em, { person }): Promise<WholeWorkspace | undefined> {
    const found = await em.findOne(Person, { uid: person }, { filters: false });
    return found ? { workspace: found.workspaceUid } : undefined;
  },
  unknown: 'person_unknown',
  lock: (em, _input, { workspace }) => lockControl(em, workspace, 'change'),
  facts: (em, _locked, { person }) => em.findOneOrFail(Person, { uid: person }, { filters: false }),
  decide: () => ({ ok: true as const }),
  async write(em, person, _verdict, { input: { key }, now }) {
    return { result: { secret: await storePersonCode(em, person, key, now), email: person.email } };
  },
  entry: ({ uid }) => ({ op: 'person.enrolled', subject: { type: 'person', uid } }),
  refusals: { person_unknown: ({ person }) => `The person ${person} does not exist.` },
});
