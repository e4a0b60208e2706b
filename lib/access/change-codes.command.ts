import { LockMode } from '@mikro-orm/core';
import type { Em } from '#lib/database/base.ts';
import { lockControl } from '#lib/governance/governed/control-lock.query.ts';
import { defineCommand, personOf, type WholeWorkspace } from '#lib/governance/command.ts';
import { linkersOf } from './oidc/identity.query.ts';
import { PersonCode } from './person-code.entity.ts';
import { decideCodesConfirmation, fingerprintOf, type CodesVerdict } from './person-code.ts';
import { hasOtherConfirmedCodes } from './person-code.write.ts';
import { Person } from './person.entity.ts';

type Input = { person: string };

async function placeOfCodes(em: Em, { person }: Input): Promise<WholeWorkspace | undefined> {
  const found = await em.findOne(PersonCode, { personUid: person }, { filters: false });
  return found ? { workspace: found.workspaceUid } : undefined;
}

function lockCodes(em: Em, { person }: Input): Promise<PersonCode> {
  return em.findOneOrFail(
    PersonCode,
    { personUid: person },
    { filters: false, lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true },
  );
}

const codesUnknown = ({ person }: Input) => `The person ${person} has no one-time codes.`;

/** Confirms one-time codes as a second person. From then on, the codes prove their person in production. */
export const confirmCodes = defineCommand<Input & { fingerprint: string }>()({
  find: placeOfCodes,
  unknown: 'codes_unknown',
  lock: lockCodes,
  async facts(em, codes) {
    const person = await em.findOneOrFail(Person, { uid: codes.personUid }, { filters: false });
    return { codes, person, linkerUids: await linkersOf(em, codes.personUid) };
  },
  decide({ codes, person, linkerUids }, { fingerprint }, at): CodesVerdict {
    const { state, personUid, linkIssuedByUid = null } = codes;
    const facts = { state, personUid, personState: person.state, linkIssuedByUid, linkerUids };
    const named = fingerprint.toLowerCase();
    return decideCodesConfirmation({ ...facts, fingerprint: fingerprintOf(codes) }, personOf(at), named);
  },
  async write(_em, { codes }, _verdict, { now, ...at }) {
    Object.assign(codes, { state: 'confirmed', confirmedAt: now, confirmedByUid: personOf(at) });
    return { result: codes };
  },
  entry: ({ codes }) => ({
    op: 'person.codes_confirmed',
    subject: { type: 'person', uid: codes.personUid },
    details: { fingerprint: fingerprintOf(codes), link_issued_by: codes.linkIssuedByUid },
  }),
  refusals: {
    codes_unknown: codesUnknown,
    codes_not_registered: 'The one-time codes were confirmed before.',
    codes_own:
      'A second person must confirm one-time codes: neither their own person, nor who linked an identity to that person, nor who issued the sign-in link behind them.',
    codes_changed:
      'The one-time codes have another fingerprint. Ask their person for the fingerprint on the page Account.',
    person_not_active: 'The person of the one-time codes is not active.',
  },
});

/**
 * Removes the one-time codes of another person, who has lost the authenticator and sets up new codes in the console. The last
 * confirmed codes of a workspace remain.
 */
export const removeCodes = defineCommand<Input>()({
  find: placeOfCodes,
  unknown: 'codes_unknown',
  async lock(em, input, { workspace }) {
    await lockControl(em, workspace, 'change');
    return lockCodes(em, input);
  },
  async facts(em, codes) {
    return { codes, isLast: codes.state === 'confirmed' && !(await hasOtherConfirmedCodes(em, codes)) };
  },
  decide({ codes, isLast }, _input, at) {
    if (personOf(at) === codes.personUid) return { ok: false as const, code: 'codes_own' as const };
    return isLast ? { ok: false as const, code: 'codes_last' as const } : { ok: true as const };
  },
  async write(em, { codes }) {
    em.remove(codes);
    return { result: {} };
  },
  entry: ({ codes }) => ({
    op: 'person.codes_removed',
    subject: { type: 'person', uid: codes.personUid },
  }),
  refusals: {
    codes_unknown: codesUnknown,
    codes_last:
      'Nobody else in the workspace has confirmed one-time codes. Another person must have confirmed codes first.',
    codes_own: ({ person }) =>
      `Another person removes one-time codes. Replace your own with one of them: assay person enrol ${person} --code 123456`,
  },
});
