import type { Em, Environment } from '#lib/database/base.ts';
import { LOCK_MINUTES } from './code-lock.ts';
import { PersonCode } from './person-code.entity.ts';
import { fingerprintOf, provesIn, type CodeState } from './person-code.ts';

/** The one-time codes of a person without their secret. */
export type CodesOfPerson = { state: CodeState; enrolledAt: Date; fingerprint: string };

/** Returns the one-time codes of a person; undefined if the person has none. */
export async function codesOf(em: Em, personUid: string): Promise<CodesOfPerson | undefined> {
  const codes = await em.findOne(PersonCode, { personUid }, { filters: false });
  if (!codes) return undefined;
  return { state: codes.state, enrolledAt: codes.enrolledAt, fingerprint: fingerprintOf(codes) };
}

/** Whether a person has one-time codes that prove the person in an environment. */
export async function hasCodesFor(em: Em, personUid: string, environment: Environment): Promise<boolean> {
  const codes = await codesOf(em, personUid);
  return codes !== undefined && provesIn(codes, environment);
}

/** Lists the persons of a workspace who were locked by wrong codes since a time, with the end of their lock. */
export async function personsLockedSince(
  em: Em,
  workspace: string,
  since: Date,
): Promise<{ uid: string; until: Date }[]> {
  const lockedUntil = { $gte: new Date(since.getTime() + LOCK_MINUTES * 60_000) };
  const codes = await em.find(
    PersonCode,
    { workspaceUid: workspace, lockedUntil },
    { filters: false, orderBy: { personUid: 'asc' } },
  );
  return codes.map(({ personUid: uid, lockedUntil: until }) => ({ uid, until: until! }));
}
