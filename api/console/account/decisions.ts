import { registrationAnswer } from '#lib/access/passkeys/answer.ts';
import { removeOwnPasskey } from '#lib/access/passkeys/change-passkey.command.ts';
import { registerPasskey } from '#lib/access/passkeys/register-passkey.command.ts';
import type { ConsoleSession } from '#lib/access/console/session.query.ts';
import type { Decision, DecisionCall } from '../page.ts';

/** The address of the page of the signed-in person. */
export const ACCOUNT = '/console/account';

/** The messages about changes that were made. */
export const accountDone = {
  added: 'The passkey was added.',
  removed: 'The passkey was removed. It no longer signs anything.',
} as const;

/** The changes that persons make to their own passkeys. */
export const accountDecisions: readonly Decision[] = [
  { name: 'add', duty: 'account', act: add },
  { name: 'remove', duty: 'account', act: remove },
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

function tenantOf({ workspace, environment }: ConsoleSession) {
  return { workspace: workspace.uid, environment };
}
