import type { Authority, AuthorityBody } from './authority-body.ts';
import type { Limit } from './limits.ts';

export type Link = Pick<Authority, 'key' | 'submittedByUid' | 'body'>;

/** What authorities stand on at an instant. */
export type AuthorityGround = {
  now: Date;
  /** Persons who are active. */
  persons: ReadonlySet<string>;
  members: ReadonlyMap<string, readonly string[]>;
  /** The authorities in force, by key. */
  inForce: ReadonlyMap<string, Link>;
  /** The limits of the workspace's ceiling; none where it is not in force. */
  ceiling: readonly Limit[];
};

/**
 * What has to be wide enough for what is decided by an authority: it, each that it was granted under, and at last the
 * ceiling. Undefined where one of them is not in force now, leads back to another of them, or was granted by somebody
 * who does not have the one above any more.
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

/** What the first of a chain that is not wide enough leaves uncovered; none where all are. */
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

/** Whether an active person is one of those whom an authority is given to. */
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
