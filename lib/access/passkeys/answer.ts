import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import { isObject } from '#lib/core/is-object.ts';

/** The most characters of an answer that is read. */
const ANSWER_MAX = 16_384;

/** The answer of an authenticator that signed a challenge, and the challenge that it names. */
export type SigningAnswer = { response: AuthenticationResponseJSON; challenge: string };

/** The answer of an authenticator that created a passkey, and the challenge that it names. */
export type RegistrationAnswer = { response: RegistrationResponseJSON; challenge: string };

/** Reads the answer of a browser to a challenge. Returns undefined if a part of the answer is missing. */
export function signingAnswer(text: string | undefined): SigningAnswer | undefined {
  return answerOf<AuthenticationResponseJSON>(text, ['clientDataJSON', 'authenticatorData', 'signature']);
}

/** Reads the answer of a browser that created a passkey. Returns undefined if a part of the answer is missing. */
export function registrationAnswer(text: string | undefined): RegistrationAnswer | undefined {
  return answerOf<RegistrationResponseJSON>(text, ['clientDataJSON', 'attestationObject']);
}

/** Checks that every part that is used is a text. The library checks the meaning of the parts. */
function answerOf<R>(
  text: string | undefined,
  parts: readonly string[],
): { response: R; challenge: string } | undefined {
  if (text === undefined || text.length > ANSWER_MAX) return undefined;
  const answer = parsed(text);
  if (!isObject(answer) || typeof answer['id'] !== 'string' || !isObject(answer['response']))
    return undefined;
  const { response } = answer;
  if (!parts.every((part) => typeof response[part] === 'string')) return undefined;
  const client = parsed(Buffer.from(String(response['clientDataJSON']), 'base64url').toString());
  if (!isObject(client) || typeof client['challenge'] !== 'string') return undefined;
  return { response: answer as R, challenge: client['challenge'] };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
