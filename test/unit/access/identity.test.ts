import { expect } from 'chai';
import {
  decideIdentityConfirmation,
  decideLink,
  decideSignIn,
  IDENTITIES_MAX,
  type IdentityState,
} from '#lib/access/oidc/identity.ts';
import { personStates } from '#lib/access/person.ts';

const identityStates: readonly IdentityState[] = ['linked', 'confirmed', 'removed'];
const codeOf = (verdict: { ok: true } | { ok: false; code: string }) => (verdict.ok ? 'ok' : verdict.code);

describe('identities of persons at an identity provider', () => {
  it('are linked to active persons, once, and at most five a person', () => {
    const decide = (change: Partial<Parameters<typeof decideLink>[0]>) =>
      codeOf(decideLink({ personState: 'active', count: 0, isInUse: false, ...change }));
    expect(decide({})).to.equal('ok');
    expect(decide({ count: IDENTITIES_MAX - 1 })).to.equal('ok');
    expect(decide({ count: IDENTITIES_MAX })).to.equal('identities_full');
    expect(decide({ isInUse: true })).to.equal('identity_in_use');
    for (const personState of ['suspended', 'departed'] as const)
      expect(decide({ personState })).to.equal('person_not_active');
  });

  it('are confirmed by a third person only, once, and only for an active person', () => {
    for (const state of identityStates)
      for (const personState of personStates)
        for (const by of ['own', 'linker', 'third']) {
          const facts = { state, personState, personUid: 'own', linkedByUid: 'linker' };
          const expected =
            state !== 'linked'
              ? 'identity_not_linked'
              : by !== 'third'
                ? 'identity_own'
                : personState !== 'active'
                  ? 'person_not_active'
                  : 'ok';
          expect(codeOf(decideIdentityConfirmation(facts, by)), `${state} ${personState} ${by}`).to.equal(
            expected,
          );
        }
  });

  it('sign in active persons: linked ones in the sandbox, confirmed ones everywhere, removed ones nowhere', () => {
    const open = identityStates.flatMap((state) =>
      personStates.flatMap((personState) =>
        (['sandbox', 'production'] as const).flatMap((environment) =>
          decideSignIn({ state, personState }, environment).ok ? [[state, personState, environment]] : [],
        ),
      ),
    );
    expect(open).to.deep.equal([
      ['linked', 'active', 'sandbox'],
      ['confirmed', 'active', 'sandbox'],
      ['confirmed', 'active', 'production'],
    ]);
  });
});
