import type { Authority, AuthorityBody } from '../authority/authority-body.ts';
import { chainOf, firstFailing, isGrantee, isHeldBy, type AuthorityGround } from '../authority/chain.ts';
import type { HeldAuthority, VoidReason } from './approval.ts';
import { uncovered, type FailedAtom } from './coverage.ts';
import type { DelegationTerms } from './terms.ts';

type Held = Pick<Authority, 'uid' | 'key' | 'state' | 'body'>;

/** The roles and authorities of all persons in an environment at an instant. */
export type Powers<Each extends Held = Held> = AuthorityGround & {
  /** The authorities that persons have or had, by uid. */
  authorities: ReadonlyMap<string, Each>;
};

/**
 * Returns all authorities that a person has or had. Each authority comes with the terms that the authority, or an
 * authority above it, does not cover.
 */
export function heldAuthorities(
  powers: Powers,
  person: string,
  uncovered: (body: AuthorityBody) => FailedAtom[],
): HeldAuthority[] {
  return [...powers.authorities.values()]
    .filter(({ body }) => isGrantee(body, person, powers.members))
    .map(({ uid, key, state, body }) => {
      const chain = state === 'active' ? chainOf(key, powers) : undefined;
      return { uid, isLive: chain !== undefined, failed: firstFailing(chain ?? [body], uncovered) };
    });
}

export type SupportingVote = { personUid: string; authorityUid: string; role?: string | null | undefined };

/**
 * Returns `holds` if a vote is still valid, otherwise the reason why it is void. The voter must be active and
 * must still have the role by which they voted. The voter's authority, or a later version of this authority,
 * must still cover the terms. Every authority under which that authority was granted must cover the terms
 * too.
 */
export function supportOf(
  powers: Powers,
  terms: DelegationTerms,
  { personUid: person, authorityUid, role }: SupportingVote,
): 'holds' | VoidReason {
  if (!powers.persons.has(person)) return 'person_not_active';
  if (role && !(powers.members.get(role) ?? []).includes(person)) return 'role_lost';
  const stood = powers.authorities.get(authorityUid);
  const chain = stood && chainOf(stood.key, powers);
  if (!chain || !isHeldBy(chain[0]!, person, powers)) return 'authority_ended';
  return firstFailing(chain, (each) => uncovered(each, terms)).length ? 'authority_insufficient' : 'holds';
}
