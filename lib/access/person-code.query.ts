import type { Em, Environment } from '#lib/database/base.ts';
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
