import { offerCodes, offeredSecret } from '#lib/access/console/offered-codes.ts';
import { registrationAnswer } from '#lib/access/passkeys/answer.ts';
import { removeOwnPasskey } from '#lib/access/passkeys/change-passkey.command.ts';
import { registerPasskey } from '#lib/access/passkeys/register-passkey.command.ts';
import { registerCodes } from '#lib/access/register-codes.command.ts';
import type { ConsoleSession } from '#lib/access/console/session.query.ts';
import type { Decision, DecisionCall, Refused, Shown } from '../page.ts';
import { offeredCodesView } from './codes.ts';
import { ACCOUNT } from './place.ts';

/** The messages about changes that were made. */
export const accountDone = {
  added: 'The passkey was added.',
  removed: 'The passkey was removed. It no longer signs anything.',
  codes: 'Your one-time codes are set up. Read their fingerprint to the person who confirms them.',
} as const;

/** The changes that persons make to their own passkeys and one-time codes. */
export const accountDecisions: readonly Decision[] = [
  { name: 'add', duty: 'account', act: add },
  { name: 'remove', duty: 'account', act: remove },
  { name: 'new-codes', duty: 'account', act: offer },
  { name: 'codes', duty: 'account', act: setUpCodes },
];

async function add(call: DecisionCall) {
  const { form, session, ceremony } = call;
  const outcome = await call.decide(registerPasskey, () => ({
    tenant: tenantOf(session),
    party: ceremony.party,
    sessionHash: ceremony.sessionHash,
    answer: registrationAnswer(form['registration']),
    name: (form['name'] ?? '').trim().slice(0, 60) || 'Passkey',
  }));
  return outcome.ok ? { location: `${ACCOUNT}?done=added` } : { code: outcome.code, detail: outcome.detail };
}

async function remove(call: DecisionCall) {
  const passkey = call.form['passkey'] ?? '';
  const outcome = await call.decide(removeOwnPasskey, () => ({ passkey, tenant: tenantOf(call.session) }));
  return outcome.ok
    ? { location: `${ACCOUNT}?done=removed` }
    : { code: outcome.code, detail: outcome.detail };
}

/** Shows a new secret for one-time codes, which is not stored yet, and the form that stores it. */
async function offer(call: DecisionCall): Promise<Refused | Shown> {
  if (!call.codeKey) return codesUnavailable;
  const { secret, sealed } = offerCodes(offerOf(call, call.codeKey));
  return { preview: await offeredCodesView(call, { secret, sealed }), entered: {} };
}

async function setUpCodes(call: DecisionCall) {
  const { form, session, ceremony, codeKey: key } = call;
  if (!key) return codesUnavailable;
  const secret = offeredSecret(form['offered'], offerOf(call, key));
  const outcome = await call.decide(registerCodes, () => ({
    tenant: tenantOf(session),
    secret,
    code: (form['first_code'] ?? '').trim(),
    sessionHash: ceremony.sessionHash,
    key,
  }));
  if (outcome.ok) return { location: `${ACCOUNT}?done=codes` };
  const { code, detail } = outcome;
  // The same secret is shown again, so that the person does not scan another one.
  const view = secret !== undefined && (await offeredCodesView(call, { secret, sealed: form['offered']! }));
  return view ? { code, detail, more: view } : { code, detail };
}

const codesUnavailable: Refused = {
  code: 'codes_unavailable',
  detail: 'This console cannot set up one-time codes, because ENCRYPTION_KEY is not set for it.',
};

function offerOf({ session, ceremony }: DecisionCall, key: Buffer) {
  return { person: session.person.uid, sessionHash: ceremony.sessionHash, key };
}

function tenantOf({ workspace, environment }: ConsoleSession) {
  return { workspace: workspace.uid, environment };
}
