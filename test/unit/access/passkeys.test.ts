import { createHash, generateKeyPairSync, sign, type KeyObject } from 'node:crypto';
import { expect } from 'chai';
import { registrationAnswer, signingAnswer } from '#lib/access/passkeys/answer.ts';
import { assertionFault, type PasskeyProof } from '#lib/access/passkeys/assertion.ts';
import { canSign, challengeFault, decideConfirmation } from '#lib/access/passkeys/passkey.ts';
import { challengeOf, type Statement } from '#lib/access/passkeys/statement.ts';
import { isStillSigned } from '#lib/actions/delegations/signed-vote.ts';
import { termsHash, type DelegationTerms } from '#lib/actions/delegations/terms.ts';
import { checkVotes } from '#lib/actions/delegations/vote-document.ts';
import { canonicalHash } from '#lib/core/seal.ts';

const statement: Statement = {
  op: 'delegations.approve',
  subject: 'dlg_1',
  terms_hash: 'a'.repeat(64),
  person: 'per_1',
  workspace: 'wsp_1',
  environment: 'production',
  session: 'b'.repeat(64),
  nonce: 'n',
};

const keys = {
  'ECDSA on P-256': generateKeyPairSync('ec', { namedCurve: 'P-256' }),
  Ed25519: generateKeyPairSync('ed25519'),
  RSA: generateKeyPairSync('rsa', { modulusLength: 2048 }),
};

const sha256 = (content: string | Buffer): Buffer => createHash('sha256').update(content).digest();
const base64url = (content: string | Buffer): string => Buffer.from(content).toString('base64url');

type Parts = { flags?: number; type?: string; challenge?: string; site?: string };

/** Signs a statement as an authenticator does: the data with the flags, then the hash of the client data. */
function proofBy(
  { privateKey, publicKey }: { privateKey: KeyObject; publicKey: KeyObject },
  { flags = 0x05, type = 'webauthn.get', challenge = challengeOf(statement), site = 'localhost' }: Parts = {},
): PasskeyProof {
  const data = Buffer.concat([sha256(site), Buffer.from([flags, 0, 0, 0, 1])]);
  const client = Buffer.from(JSON.stringify({ type, challenge, origin: 'http://localhost:3010' }));
  const algorithm = privateKey.asymmetricKeyType === 'ed25519' ? null : 'sha256';
  return {
    kind: 'passkey',
    passkey_uid: 'psk_1',
    public_key: publicKey.export({ format: 'der', type: 'spki' }).toString('base64url'),
    rp_id: 'localhost',
    statement,
    authenticator_data: base64url(data),
    client_data: base64url(client),
    signature: base64url(sign(algorithm, Buffer.concat([data, sha256(client)]), privateKey)),
  };
}

describe('the signature of a passkey', () => {
  for (const [name, pair] of Object.entries(keys))
    it(`proves the statement that it signed, with a key of ${name}`, () => {
      expect(assertionFault(proofBy(pair))).to.equal(undefined);
    });

  it('proves nothing if any part of it or of the statement differs', () => {
    const pair = keys['ECDSA on P-256'];
    const good = proofBy(pair);
    const other = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey;
    const bad: Record<string, PasskeyProof> = {
      'another delegation': { ...good, statement: { ...statement, subject: 'dlg_2' } },
      'other terms': { ...good, statement: { ...statement, terms_hash: 'c'.repeat(64) } },
      'another person': { ...good, statement: { ...statement, person: 'per_2' } },
      'another environment': { ...good, statement: { ...statement, environment: 'sandbox' } },
      'another key': {
        ...good,
        public_key: other.export({ format: 'der', type: 'spki' }).toString('base64url'),
      },
      'another site': { ...good, rp_id: 'evil.example' },
      'a site that the authenticator did not sign': proofBy(pair, { site: 'evil.example' }),
      'no verification of the person': proofBy(pair, { flags: 0x01 }),
      'no presence of the person': proofBy(pair, { flags: 0x04 }),
      'a registration': proofBy(pair, { type: 'webauthn.create' }),
      'another challenge': proofBy(pair, { challenge: 'AAAA' }),
      'a changed signature': { ...good, signature: base64url(Buffer.alloc(70, 1)) },
      'a malformed key': { ...good, public_key: 'AAAA' },
      'malformed client data': { ...good, client_data: 'AAAA' },
      'data that is too short': { ...good, authenticator_data: 'AAAA' },
    };
    for (const [name, proof] of Object.entries(bad)) expect(assertionFault(proof), name).to.be.a('string');
  });

  it('is verified offline with the terms and the voters in a document of the votes', () => {
    const terms: DelegationTerms = {
      identity_uid: 'idt_1',
      action: 'obligation.pay',
      counterparty_id: 1,
      connector: 'sepa_ct',
      currency: 'EUR',
      amount_scale: 2,
      execution_mode: 'supervised',
      risk_tier: 'T1',
      budgets: { per_action_minor: 1, per_day_minor: 2, per_month_minor: 3 },
      valid_from: null,
      valid_until: '2027-01-01T00:00:00.000Z',
      time_zone: 'UTC',
    };
    const said = { ...statement, terms_hash: termsHash(terms) };
    const proof = { ...proofBy(keys.Ed25519, { challenge: challengeOf(said) }), statement: said };
    const vote = {
      uid: 'apv_1',
      node: 1,
      person_uid: 'per_1',
      at: '2026-11-25T00:00:00.000Z',
      state: 'counted',
    };
    const signed = { ...vote, proof, proof_hash: canonicalHash(proof) };
    const document = {
      schema: 'assay.delegation-votes/1',
      delegation_uid: 'dlg_1',
      workspace_uid: 'wsp_1',
      environment: 'production',
      terms,
      terms_hash: said.terms_hash,
      votes: [signed, { ...vote, uid: 'apv_2', proof: { kind: 'code' }, proof_hash: 'x' }],
    };
    const checked = (changes: object) => checkVotes(JSON.stringify({ ...document, ...changes }));
    expect(checked({})).to.deep.equal({ intact: true, signed: 1, unsigned: 1, differences: [] });
    expect(checked({ terms: { ...terms, currency: 'USD' } })!.differences).to.deep.equal(['terms_hash']);
    expect(checked({ delegation_uid: 'dlg_2' })!.differences).to.deep.equal(['apv_1']);
    expect(checked({ votes: [{ ...signed, person_uid: 'per_2' }] })!.differences).to.deep.equal(['apv_1']);
    expect(checked({ votes: [{ ...signed, proof_hash: 'x' }] })!.differences).to.deep.equal(['apv_1']);
    expect(checked({ votes: null })!.differences).to.deep.equal(['document']);
    expect(checkVotes('{"schema":"other"}')).to.equal(undefined);
  });

  it('still proves a vote only for its own delegation, terms and voter, and while its key could sign', () => {
    const vote = {
      proof: proofBy(keys.Ed25519),
      delegation_uid: 'dlg_1',
      person_uid: 'per_1',
      terms_hash: 'a'.repeat(64),
      can_sign: true,
    };
    expect(isStillSigned(vote)).to.equal(true);
    for (const changed of [
      { delegation_uid: 'dlg_2' },
      { person_uid: 'per_2' },
      { terms_hash: 'c'.repeat(64) },
      { can_sign: false },
      { proof: { ...vote.proof, signature: base64url(Buffer.alloc(64, 1)) } },
    ])
      expect(isStillSigned({ ...vote, ...changed }), JSON.stringify(changed).slice(0, 60)).to.equal(false);
  });
});

describe('passkeys', () => {
  it('sign in the sandbox at once, and in production after a second person confirmed them', () => {
    const states = ['registered', 'confirmed', 'removed'] as const;
    expect(states.map((state) => canSign({ state }, 'sandbox'))).to.deep.equal([true, true, false]);
    expect(states.map((state) => canSign({ state }, 'production'))).to.deep.equal([false, true, false]);
  });

  it('are confirmed once, by a person who cannot have added them, for an active person', () => {
    const key = {
      ...({ state: 'registered', personUid: 'per_1', personState: 'active' } as const),
      ...{ linkIssuedByUid: 'per_3', linkerUids: ['per_4', 'per_5'] },
    };
    expect(decideConfirmation(key, 'per_2')).to.deep.equal({ ok: true });
    expect(decideConfirmation({ ...key, linkIssuedByUid: null }, 'per_3')).to.deep.equal({ ok: true });
    for (const by of ['per_1', 'per_3', 'per_4', 'per_5'])
      expect(decideConfirmation(key, by), by).to.include({ code: 'passkey_own' });
    expect(decideConfirmation({ ...key, state: 'confirmed' }, 'per_2')).to.include({
      code: 'passkey_not_registered',
    });
    expect(decideConfirmation({ ...key, state: 'removed' }, 'per_2')).to.include({
      code: 'passkey_not_registered',
    });
    expect(decideConfirmation({ ...key, personState: 'suspended' }, 'per_2')).to.include({
      code: 'person_not_active',
    });
  });

  it('answer a challenge once, in time, for its purpose and in its session', () => {
    const now = new Date('2026-11-25T12:00:00Z');
    const later = new Date('2026-11-25T12:05:00Z');
    const issued = { purpose: 'decide', sessionHash: 's', expiresAt: later, usedAt: null } as const;
    const wanted = { purpose: 'decide', sessionHash: 's', now } as const;
    expect(challengeFault(issued, wanted)).to.equal(undefined);
    expect(challengeFault(undefined, wanted)).to.equal('challenge_unknown');
    expect(challengeFault(issued, { ...wanted, sessionHash: 't' })).to.equal('challenge_unknown');
    expect(challengeFault(issued, { ...wanted, purpose: 'register' })).to.equal('challenge_unknown');
    expect(challengeFault({ ...issued, usedAt: now }, wanted)).to.equal('challenge_used');
    expect(challengeFault(issued, { ...wanted, now: later })).to.equal('challenge_expired');
  });

  it('read an answer only if it has the parts that a browser sends', () => {
    const clientDataJSON = base64url(JSON.stringify({ challenge: 'abc' }));
    const signed = { id: 'x', response: { clientDataJSON, authenticatorData: 'AA', signature: 'AA' } };
    expect(signingAnswer(JSON.stringify(signed))).to.deep.include({ challenge: 'abc' });
    const created = { id: 'x', response: { clientDataJSON, attestationObject: 'AA' } };
    expect(registrationAnswer(JSON.stringify(created))).to.deep.include({ challenge: 'abc' });
    for (const bad of [
      undefined,
      '',
      'null',
      '[]',
      '{"id":1}',
      JSON.stringify(created),
      JSON.stringify({ ...signed, id: 7 }),
      JSON.stringify({ ...signed, response: { ...signed.response, signature: 7 } }),
      JSON.stringify({ ...signed, response: { ...signed.response, clientDataJSON: base64url('{}') } }),
      JSON.stringify({ ...signed, filler: 'x'.repeat(20_000) }),
    ])
      expect(signingAnswer(bad), bad?.slice(0, 60)).to.equal(undefined);
  });
});
