import type { Authority, AuthorityBody } from './authority-body.ts';
import type { Limit } from './limits.ts';

export type Link = Pick<Authority, 'key' | 'submittedByUid' | 'body'>;

/** The records at an instant that determine whether authorities are valid. */
export type AuthorityGround = {
  now: Date;
  /** The persons who are active. */
  persons: ReadonlySet<string>;
  members: ReadonlyMap<string, readonly string[]>;
  /** The active authorities, by key. */
  inForce: ReadonlyMap<string, Link>;
  /** The limits of the workspace's ceiling; empty if there is no active ceiling. */
  ceiling: readonly Limit[];
};

/**
 * Returns everything that limits a decision by an authority: the authority itself, each authority under which
 * it was granted, and finally the ceiling. Returns undefined if one of these authorities is not active now,
 * if the authorities form a cycle, or if a grantor no longer holds the authority under which they granted.
 */
export function chainOf(key: string, ground: AuthorityGround): AuthorityBody[] | undefined {
  const { now, inForce, ceiling } = ground;
  const chain: Link[] = [];
  for (let at: string | null = key; at !== null;) {
    const link = inForce.get(at);
    const below = chain.at(-1);
    if (!link || chain.includes(link)) return undefined;
    if (!isInTime(link.body, now)) return undefined;
    if (below && !isHeldBy(link.body, below.submittedByUid, ground)) return undefined;
    chain.push(link);
    at = link.body.granted_under;
  }
  const bodies = chain.map(({ body }) => body);
  return [...bodies, { ...bodies.at(-1)!, limits: [...ceiling] }];
}

/**
 * Returns the terms that the first insufficient authority of a chain does not cover. Returns an empty list if every
 * authority of the chain covers all terms.
 */
export function firstFailing<Failed>(
  chain: readonly AuthorityBody[],
  uncovered: (body: AuthorityBody) => Failed[],
): Failed[] {
  for (const body of chain) {
    const failed = uncovered(body);
    if (failed.length) return failed;
  }
  return [];
}

/** Whether a person is active and a grantee of an authority. */
export function isHeldBy(
  body: AuthorityBody,
  person: string | null | undefined,
  { persons, members }: Pick<AuthorityGround, 'persons' | 'members'>,
): boolean {
  return typeof person === 'string' && persons.has(person) && isGrantee(body, person, members);
}

export function isInTime({ valid_from, valid_until }: AuthorityBody, now: Date): boolean {
  return new Date(valid_from) <= now && now < new Date(valid_until);
}

export function isGrantee(
  { grantee }: AuthorityBody,
  person: string,
  members: ReadonlyMap<string, readonly string[]>,
): boolean {
  return grantee.kind === 'user'
    ? grantee.person_uid === person
    : (members.get(grantee.role) ?? []).includes(person);
}
