import type { Clock } from '#lib/core/clock.ts';
import type { Orm } from '#lib/database/base.ts';
import { inTenant } from '#lib/database/orm.ts';
import type { InputOf, Outcome, TenantCommand } from '#lib/governance/command.ts';
import { governIn } from '#lib/governance/govern.ts';
import { signingAnswer } from '../passkeys/answer.ts';
import type { RelyingParty } from '../passkeys/ceremonies.ts';
import { signingPasskeysOf } from '../passkeys/passkey.query.ts';
import type { Statement } from '../passkeys/statement.ts';
import { usePasskey } from '../passkeys/use-passkey.command.ts';
import { hasCodesFor } from '../person-code.query.ts';
import { useCode, useCodeEvenAtRest } from '../use-code.command.ts';
import { Workspace } from '../workspace.entity.ts';
import { acceptedProofs, type AcceptedProofs, type DecisionProof } from './proof.ts';
import type { ConsoleSession } from './session.query.ts';

/**
 * The means to carry out decisions of persons in the console. `key` decrypts the secrets of one-time codes; without it,
 * no code can be verified.
 */
export type DecisionMeans = { orm: Orm; key: Buffer | undefined; clock: Clock };

/** The decision that a person confirms: its name, its subject, and the hash of the terms that the page showed. */
export type Decided = Pick<Statement, 'op' | 'subject' | 'terms_hash'>;

/** The session in which a person decides: its hash, and the console as the browser reached it. */
export type Ceremony = { sessionHash: string; party: RelyingParty };

/** The confirmation that a person gives with a decision: the answer of a passkey, or a one-time code. */
export type Confirmation = Ceremony & {
  decided: Decided;
  answer: string | undefined;
  code: string | undefined;
  requestId: string;
};

/** A decision that was refused because the person did not confirm it. */
export type Unconfirmed = {
  ok: false;
  code:
    | 'code_invalid'
    | 'code_locked'
    | 'codes_unconfirmed'
    | 'person_not_enrolled'
    | 'codes_unavailable'
    | 'passkey_invalid';
  detail: string;
};

/**
 * Carries out a governed change as the person of a session, in the workspace and environment of the session. The person
 * confirms the change with a proof that `proofsAccepted` returns. A code or a signature is consumed even if the change
 * is refused.
 */
export async function governInSession<C extends TenantCommand>(
  means: DecisionMeans,
  session: ConsoleSession,
  command: C,
  inputOf: (proof: DecisionProof) => InputOf<C>,
  confirmation: Confirmation,
): Promise<Outcome<C> | Unconfirmed> {
  const { orm, clock } = means;
  const confirmed = await confirm(means, session, confirmation);
  if (!confirmed.ok) return confirmed;
  const actor = { kind: 'person' as const, uid: session.person.uid };
  const circumstances = { actor, clock, requestId: confirmation.requestId };
  return governIn(orm, tenantOf(session), command, inputOf(confirmed.proof), circumstances);
}

/** Returns the proofs that a decision of the session's person accepts. */
export async function proofsAccepted(
  { orm }: Pick<DecisionMeans, 'orm'>,
  session: ConsoleSession,
): Promise<AcceptedProofs> {
  const { person, workspace, environment } = session;
  return inTenant(
    orm,
    tenantOf(session),
    async (em) =>
      acceptedProofs({
        environment,
        hasCodes: await hasCodesFor(em, person.uid, environment),
        hasPasskey: (await signingPasskeysOf(em, person.uid, environment)).length > 0,
        required: (await em.findOneOrFail(Workspace, { uid: workspace.uid })).proof,
      }),
    { isReadOnly: true },
  );
}

type Confirmed = { ok: true; proof: DecisionProof } | Unconfirmed;

async function confirm(
  { orm, key, clock }: DecisionMeans,
  session: ConsoleSession,
  { answer, code, decided, sessionHash, party, requestId }: Confirmation,
): Promise<Confirmed> {
  const accepted = await proofsAccepted({ orm }, session);
  if (accepted.session) return { ok: true, proof: { kind: 'session' } };
  const tenant = tenantOf(session);
  const system = { actor: { kind: 'system' as const }, clock, requestId };
  if (accepted.passkey && (answer || !accepted.code || !code)) {
    const expected = expectedOf(session, sessionHash, decided);
    const given = { tenant, party, answer: signingAnswer(answer), expected };
    const used = await governIn(orm, tenant, usePasskey, given, system);
    return used.ok ? { ok: true, proof: used.result } : { ok: false, code: used.code, detail: used.detail };
  }
  const { person, environment } = session;
  if (!key)
    return {
      ok: false,
      code: 'codes_unavailable',
      detail: 'This console cannot verify one-time codes, because ENCRYPTION_KEY is not set for it.',
    };
  const used = await useCodeEvenAtRest(({ isAtRest }) =>
    governIn(orm, tenant, useCode, { person, code, environment, key, isAtRest }, system),
  );
  return used.ok
    ? { ok: true, proof: { kind: 'code' } }
    : { ok: false, code: used.code, detail: used.detail };
}

/** Returns the statement of a decision in a session, without its random part. */
export function expectedOf(
  { person, workspace, environment }: ConsoleSession,
  session: string,
  decided: Decided,
) {
  return { ...decided, person: person.uid, workspace: workspace.uid, environment, session };
}

/** Returns the workspace and environment of a session. */
export function tenantOf({ workspace, environment }: ConsoleSession) {
  return { workspace: workspace.uid, environment };
}
