import type { Clock } from '#lib/core/clock.ts';
import type { Orm, Tenant } from '#lib/database/base.ts';
import { inTenant } from '#lib/database/orm.ts';
import type { InputOf, Outcome, TenantCommand } from '#lib/governance/command.ts';
import { governIn } from '#lib/governance/govern.ts';
import { PersonCode } from '../person-code.entity.ts';
import { useCode } from '../use-code.command.ts';
import { requiredProof, type DecisionProof } from './proof.ts';
import type { ConsoleSession } from './session.query.ts';

/**
 * The means to carry out decisions of persons in the console. `key` decrypts the secrets of one-time codes; without it,
 * no code can be verified.
 */
export type DecisionMeans = { orm: Orm; key: Buffer | undefined; clock: Clock };

/** The confirmation that a person gives with a decision. */
export type Confirmation = { code: string | undefined; requestId: string };

/** A decision that was refused because the person did not confirm it. */
export type Unconfirmed = {
  ok: false;
  code: 'code_invalid' | 'code_locked' | 'person_not_enrolled' | 'codes_unavailable';
  detail: string;
};

/**
 * Carries out a governed change as the person of a session, in the workspace and environment of the session. The change
 * requires a one-time code in production, and in the sandbox from every person who has one-time codes. A code is
 * consumed even if the change is refused.
 */
export async function governInSession<C extends TenantCommand>(
  { orm, key, clock }: DecisionMeans,
  { person, workspace, environment }: ConsoleSession,
  command: C,
  inputOf: (proof: DecisionProof) => InputOf<C>,
  { code, requestId }: Confirmation,
): Promise<Outcome<C> | Unconfirmed> {
  const tenant = { workspace: workspace.uid, environment };
  const kind = requiredProof({ environment, isEnrolled: await hasCodes(orm, tenant, person.uid) });
  if (kind === 'code') {
    if (!key)
      return {
        ok: false,
        code: 'codes_unavailable',
        detail: 'This console cannot verify one-time codes, because ENCRYPTION_KEY is not set for it.',
      };
    const system = { actor: { kind: 'system' as const }, clock, requestId };
    const used = await governIn(orm, tenant, useCode, { person, code, key }, system);
    if (!used.ok) return { ok: false, code: used.code, detail: used.detail };
  }
  const actor = { kind: 'person' as const, uid: person.uid };
  return governIn(orm, tenant, command, inputOf({ kind }), { actor, clock, requestId });
}

/** Whether a decision of the session's person needs a one-time code. */
export async function needsCode(
  { orm }: Pick<DecisionMeans, 'orm'>,
  { person, workspace, environment }: ConsoleSession,
): Promise<boolean> {
  const tenant = { workspace: workspace.uid, environment };
  return requiredProof({ environment, isEnrolled: await hasCodes(orm, tenant, person.uid) }) === 'code';
}

function hasCodes(orm: Orm, tenant: Tenant, personUid: string): Promise<boolean> {
  return inTenant(orm, tenant, async (em) => (await em.count(PersonCode, { personUid })) > 0, {
    isReadOnly: true,
  });
}
