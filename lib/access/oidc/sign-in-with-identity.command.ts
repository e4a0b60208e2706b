import { sql } from 'kysely';
import type { Environment, Tenant } from '#lib/database/base.ts';
import { defineCommand } from '#lib/governance/command.ts';
import { openSession } from '../console/session.write.ts';
import { Person } from '../person.entity.ts';
import { decideSignIn, type SignInVerdict } from './identity.ts';
import { lockIdentity } from './identity.query.ts';
import type { SignedInAtProvider } from './provider.ts';

type Input = { claimed: SignedInAtProvider; environment: Environment };

/**
 * Opens a session of the console for the person of an identity. The identity was proven by the identity provider. Only
 * the result contains the secret of the session.
 */
export const signInWithIdentity = defineCommand<Input>()({
  async find(em, { claimed: { issuer, subject }, environment }): Promise<Tenant | undefined> {
    const { rows } = await sql<{ workspace_uid: string }>`
      select workspace_uid from place_of_identity(${issuer}, ${subject})`.execute(em.getKysely());
    return rows[0] && { workspace: rows[0].workspace_uid, environment };
  },
  unknown: 'identity_unknown',
  lock: (em, { claimed: { issuer, subject } }) => lockIdentity(em, issuer, subject),
  async facts(em, identity) {
    const personUid = identity?.personUid;
    const person = personUid && (await em.findOneOrFail(Person, { uid: personUid }, { filters: false }));
    return identity && person ? { identity, person } : undefined;
  },
  decide: (facts, { environment }): SignInVerdict =>
    facts
      ? decideSignIn({ state: facts.identity.state, personState: facts.person.state }, environment)
      : { ok: false, code: 'identity_unknown' },
  async write(em, facts, _verdict, { now, place }) {
    const { identity, person } = facts!;
    identity.usedAt = now;
    const opening = { place, person: person.uid, proof: 'oidc' as const, identity: identity.uid, now };
    return { result: await openSession(em, opening) };
  },
  entry: (facts, verdict, { claimed: { acr, amr } }) =>
    facts && {
      op: verdict.ok ? 'person.signed_in' : 'person.sign_in_refused',
      subject: { type: 'person', uid: facts.person.uid },
      details: { identity_uid: facts.identity.uid, acr, amr },
    },
  refusals: {
    identity_unknown:
      'Your account at the identity provider is not linked to a person here. Ask an operator to link it.',
    identity_unconfirmed:
      'A second person must confirm the link of your account before it signs you in to production.',
    person_not_active: 'Only an active person can sign in to the console.',
  },
});
