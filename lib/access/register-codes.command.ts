import type { Tenant } from '#lib/database/base.ts';
import { defineCommand, personOf } from '#lib/governance/command.ts';
import { lockControl } from '#lib/governance/governed/control-lock.query.ts';
import { sessionOrigin } from './console/session.query.ts';
import { stepOfCode } from './one-time-code.ts';
import { PersonCode } from './person-code.entity.ts';
import { fingerprintOf } from './person-code.ts';
import { hasOtherConfirmedCodes, storePersonCode } from './person-code.write.ts';
import { Person } from './person.entity.ts';

type Input = {
  tenant: Tenant;
  /** The secret that this session showed; undefined if the form has no secret of this session. */
  secret: string | undefined;
  /** The first code of the authenticator, which proves that the person has stored the secret. */
  code: string;
  /** The SHA-256 of the secret of the session. */
  sessionHash: string;
  /** The key that encrypts the secrets of one-time codes. */
  key: Buffer;
};

type RegistrationVerdict =
  | { ok: true; secret: string; step: number; linkIssuer: string | null }
  | { ok: false; code: 'identity_unconfirmed' | 'codes_last' | 'codes_form_invalid' | 'first_code_invalid' };

/**
 * Registers one-time codes that the person of a session has set up in this session. Earlier codes become invalid. In
 * production, the codes prove their person after a second person confirmed them. The last confirmed codes of a workspace are
 * not replaced, so that it never again has first codes, which nobody confirms.
 */
export const registerCodes = defineCommand<Input>()({
  find: async (_em, { tenant }) => tenant,
  lock: (em, _input, { workspace }) => lockControl(em, workspace, 'change'),
  async facts(em, _locked, { secret, code, sessionHash }, at) {
    const person = await em.findOneOrFail(Person, { uid: personOf(at) });
    const origin = await sessionOrigin(em, sessionHash);
    const step = secret === undefined ? undefined : stepOfCode(secret, code, at.now, 0);
    const earlier = await em.findOne(PersonCode, { personUid: person.uid }, { refresh: true });
    const isLast = earlier?.state === 'confirmed' && !(await hasOtherConfirmedCodes(em, earlier));
    return { person, origin, step, isLast };
  },
  decide({ origin, step, isLast }, { secret }): RegistrationVerdict {
    if (origin?.isUnconfirmedIdentity) return { ok: false, code: 'identity_unconfirmed' };
    if (isLast) return { ok: false, code: 'codes_last' };
    if (!origin || secret === undefined) return { ok: false, code: 'codes_form_invalid' };
    return step === undefined
      ? { ok: false, code: 'first_code_invalid' }
      : { ok: true, secret, step, linkIssuer: origin.linkIssuer };
  },
  async write(em, { person }, { secret, step, linkIssuer }, { input: { key }, now }) {
    const codes = { secret, state: 'registered' as const, linkIssuer, lastStep: step };
    return { result: fingerprintOf(await storePersonCode(em, person, codes, { key, now })) };
  },
  entry: ({ person }, verdict, _input, fingerprint) =>
    verdict.ok
      ? {
          op: 'person.codes_registered',
          subject: { type: 'person', uid: person.uid },
          details: { fingerprint, link_issued_by: verdict.linkIssuer },
        }
      : undefined,
  refusals: {
    identity_unconfirmed:
      'A second person must confirm the link of your account at the identity provider before you can set up codes.',
    codes_last:
      'Nobody else in the workspace has confirmed one-time codes, so nobody could confirm new ones. Wait until another person has confirmed codes, or replace yours with a current code on the command line: assay person enrol',
    codes_form_invalid: 'The secret was not made in this session. Begin again.',
    first_code_invalid:
      'The code of the authenticator is not valid. Check its clock, and enter the next code.',
  },
});
