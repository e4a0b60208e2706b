import type { CastVote, HeldAuthority } from '#lib/actions/delegations/approval.ts';
import type { AuthorityBody } from '#lib/actions/authority/authority-body.ts';
import type { DelegationTerms } from '#lib/actions/delegations/terms.ts';
import type { Rules } from './rules.ts';
import { HEAD, nodes, powersWithout, rolesOf } from './world.ts';

/** Voters who may lose the authority, the role or the parent authority that their votes require. */
export const losers: readonly string[] = ['dee', 'ben', 'cyd'];

type Situation = {
  voters: readonly { person: string }[];
  terms: DelegationTerms;
  /** The voters who have lost their authority, their role, or the parent of their authority. */
  lost: readonly number[];
  now: Date;
};

export type SituationPowers = {
  roles: string[][];
  authorities: HeldAuthority[][];
  /** The state of each vote in `votes`, identified by voter and node. */
  votes: CastVote['support'][][];
};

/** Returns the verdict of the rules on each voter, given the voters in `lost`. */
export function powersIn(rules: Rules, { voters, terms, lost, now }: Situation): SituationPowers {
  const isLost = (person: string) => lost.includes(losers.indexOf(person));
  const ended = [...(isLost('dee') ? ['dee'] : []), ...(isLost('cyd') ? [HEAD] : [])];
  const all = powersWithout(new Set(ended), now, terms.valid_until);
  const without = isLost('ben') ? 'ben' : undefined;
  const members = new Map(
    [...all.members].map(([role, people]) => [role, people.filter((each) => each !== without)]),
  );
  const powers = { ...all, members };
  const uncovered = (body: AuthorityBody) => rules.uncovered(body, terms);
  return {
    roles: voters.map(({ person }) => (person === without ? [] : rolesOf(person))),
    authorities: voters.map(({ person }) => rules.heldAuthorities(powers, person, uncovered)),
    votes: voters.map(({ person }) =>
      nodes.map(({ roles: [role] }) =>
        rules.supportOf(powers, terms, { personUid: person, authorityUid: `aut_${person}`, role }),
      ),
    ),
  };
}
