import { expect } from 'chai';
import { decideCodesConfirmation, fingerprintOf, provesIn } from '#lib/access/person-code.ts';

describe('one-time codes of persons', () => {
  it('prove their person in the sandbox at once, and in production after a second person confirmed them', () => {
    const states = ['registered', 'confirmed'] as const;
    expect(states.map((state) => provesIn({ state }, 'sandbox'))).to.deep.equal([true, true]);
    expect(states.map((state) => provesIn({ state }, 'production'))).to.deep.equal([false, true]);
  });

  it('are confirmed once, by their fingerprint, by a person who cannot have set them up, for an active person', () => {
    const fingerprint = fingerprintOf({ sealedSecret: 'v1.abc' });
    const codes = {
      ...({ state: 'registered', personUid: 'per_1', personState: 'active', fingerprint } as const),
      ...{ linkIssuedByUid: 'per_3', linkerUids: ['per_4', 'per_5'] },
    };
    const decide = (changes: Partial<typeof codes> | object, by = 'per_2', named = fingerprint) =>
      decideCodesConfirmation({ ...codes, ...changes }, by, named);
    expect(decide({})).to.deep.equal({ ok: true });
    expect(decide({ linkIssuedByUid: null }, 'per_3')).to.deep.equal({ ok: true });
    for (const by of ['per_1', 'per_3', 'per_4', 'per_5'])
      expect(decide({}, by), by).to.include({ code: 'codes_own' });
    expect(decide({ state: 'confirmed' })).to.include({ code: 'codes_not_registered' });
    expect(decide({ personState: 'suspended' })).to.include({ code: 'person_not_active' });
    const other = fingerprintOf({ sealedSecret: 'v1.abd' });
    expect(other)
      .to.match(/^[0-9a-f]{16}$/)
      .and.to.not.equal(fingerprint);
    expect(decide({}, 'per_2', other)).to.include({ code: 'codes_changed' });
  });
});
