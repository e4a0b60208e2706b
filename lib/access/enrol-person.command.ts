import { defineCommand, type WholeWorkspace } from '#lib/governance/command.ts';
import { lockControl } from '#lib/governance/governed/control-lock.query.ts';
import { newCodeSecret } from './one-time-code.ts';
import { PersonCode } from './person-code.entity.ts';
import { hasConfirmedCodes, storePersonCode } from './person-code.write.ts';
import { Person } from './person.entity.ts';

type Input = {
  person: string;
  /** The key that encrypts the secrets of one-time codes. */
  key: Buffer;
};

/**
 * Creates a new one-time code secret for the person who gives the command. The codes of an earlier secret become invalid.
 * Only the result contains the secret in clear text, so nobody gives the command for another person. The first codes of a
 * workspace, which it has once, count in production at once, and so do codes that replace confirmed codes.
 */
export const enrolPerson = defineCommand<Input>()({
  async find(em, { person }): Promise<WholeWorkspace | undefined> {
    const found = await em.findOne(Person, { uid: person }, { filters: false });
    return found ? { workspace: found.workspaceUid } : undefined;
  },
  unknown: 'person_unknown',
  lock: (em, _input, { workspace }) => lockControl(em, workspace, 'change'),
  async facts(em, _locked, { person: uid }, { actor, place }) {
    const person = await em.findOneOrFail(Person, { uid }, { filters: false });
    const earlier = await em.findOne(PersonCode, { personUid: uid }, { filters: false, refresh: true });
    const isOwn = actor.kind === 'person' && actor.uid === uid;
    return { person, earlier, isOwn, isFirst: !(await hasConfirmedCodes(em, place.workspace)) };
  },
  decide: ({ isOwn }) =>
    isOwn ? { ok: true as const } : { ok: false as const, code: 'codes_of_another' as const },
  async write(em, { person, earlier, isFirst }, _verdict, { input: { key }, now }) {
    const secret = newCodeSecret();
    const state = isFirst || earlier?.state === 'confirmed' ? 'confirmed' : 'registered';
    const linkIssuer = earlier?.linkIssuedByUid ?? null;
    await storePersonCode(em, person, { secret, state, linkIssuer }, { key, now });
    return { result: { secret, state, email: person.email } };
  },
  entry: ({ person: { uid } }) => ({ op: 'person.enrolled', subject: { type: 'person', uid } }),
  refusals: {
    person_unknown: ({ person }) => `The person ${person} does not exist.`,
    codes_of_another: ({ person }) =>
      `Only the person sees the secret of own codes. Issue a link, with which the person sets up codes in the console: assay person console-link ${person}`,
  },
});
