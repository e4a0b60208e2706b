import type { Tenant } from '#lib/database/base.ts';
import { defineCommand } from '#lib/governance/command.ts';
import type { SigningAnswer } from './answer.ts';
import type { PasskeyProof } from './assertion.ts';
import { signedCounter, type RelyingParty } from './ceremonies.ts';
import { lockChallenge } from './challenge.query.ts';
import { consumeChallenge } from './challenge.write.ts';
import type { Passkey } from './passkey.entity.ts';
import { canSign, challengeFault } from './passkey.ts';
import { lockPasskey } from './passkey.query.ts';
import type { Statement } from './statement.ts';

/** The statement that must have been signed, without its random part. */
export type Expected = Omit<Statement, 'nonce'>;

type Input = { tenant: Tenant; party: RelyingParty; answer: SigningAnswer | undefined; expected: Expected };

type Facts = { passkey: Passkey; counter: number; statement: Statement } | { fault: string };

/**
 * Verifies that a passkey of the person signed the decision that is about to be made, and consumes the challenge. The
 * challenge is consumed even if the signature is refused. The result is the proof to be stored with the decision.
 */
export const usePasskey = defineCommand<Input>()({
  find: async (_em, { tenant }) => tenant,
  async lock(em, { answer }) {
    return (
      answer && {
        challenge: await lockChallenge(em, answer.challenge),
        passkey: await lockPasskey(em, answer.response.id),
      }
    );
  },
  async facts(_em, locked, { answer, party, expected, tenant }, { now }): Promise<Facts> {
    if (!locked || !answer) return { fault: 'The browser sent no signature of a passkey.' };
    const { challenge, passkey } = locked;
    const fault = challengeFault(challenge, { purpose: 'decide', sessionHash: expected.session, now });
    if (fault) return { fault: faults[fault] };
    const statement = challenge!.statement!;
    if (!isExpected(statement, expected)) return { fault: 'The passkey signed another decision.' };
    if (passkey?.personUid !== expected.person)
      return { fault: 'The passkey is not a passkey of the person.' };
    if (!canSign(passkey, tenant.environment))
      return { fault: 'The passkey was removed, or no second person has confirmed it for production.' };
    try {
      const counter = await signedCounter(party, answer.response, answer.challenge, passkey);
      return { passkey, counter, statement };
    } catch {
      return { fault: 'The signature of the passkey is not valid.' };
    }
  },
  decide: (facts) =>
    'fault' in facts
      ? { ok: false as const, code: 'passkey_invalid' as const, detail: facts.fault }
      : { ok: true as const, ...facts },
  async write(em, _facts, { passkey, counter, statement }, { input: { answer, party }, now }) {
    await consumeChallenge(em, answer!.challenge, now);
    passkey.counter = counter;
    passkey.usedAt = now;
    const { authenticatorData, clientDataJSON, signature } = answer!.response.response;
    const proof: PasskeyProof = {
      kind: 'passkey',
      passkey_uid: passkey.uid,
      public_key: passkey.publicKey,
      rp_id: party.id,
      statement,
      authenticator_data: authenticatorData,
      client_data: clientDataJSON,
      signature,
    };
    return { result: proof };
  },
  async writeRefusal(em, _facts, _refused, { input: { answer }, now }) {
    if (!answer) return undefined;
    await consumeChallenge(em, answer.challenge, now);
    return [];
  },
  entry: () => undefined,
  refusals: {},
});

const faults = {
  challenge_unknown: 'The signature belongs to no challenge of this session.',
  challenge_used: 'The signature was used before.',
  challenge_expired: 'The challenge has expired. Sign the decision again.',
};

function isExpected(statement: Statement, expected: Expected): boolean {
  return (Object.keys(expected) as (keyof Expected)[]).every((name) => statement[name] === expected[name]);
}
