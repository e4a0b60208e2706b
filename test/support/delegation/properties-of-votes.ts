import { expect } from 'chai';
import fc from 'fast-check';
import type { PinnedNode } from '#lib/actions/delegations/quorum.ts';
import { allowed, obstacles } from './approval-cases.ts';
import type { Property } from './rules.ts';

const names = ['ann', 'ben', 'cyd', 'dee', 'eve'];
const words = fc.uniqueArray(fc.constantFrom(...names), { maxLength: 5 });

const smallGraph: fc.Arbitrary<PinnedNode[]> = fc
  .array(fc.tuple(fc.integer({ min: 1, max: 3 }), words, words), { minLength: 1, maxLength: 3 })
  .map((drawn) =>
    drawn.map(([quorum, roles, users], index) => ({
      position: index + 1,
      key: `node-${index}`,
      quorum,
      roles,
      users: users.slice(0, 2),
    })),
  );
/** Each role has the name of a person here, because the rules attach no meaning to names. */
const memberships = fc
  .array(words, { minLength: 5, maxLength: 5 })
  .map((each) => new Map(names.map((role, index) => [role, each[index]!])));

/**
 * Returns the maximum number of required votes of a node that different persons can cast, by trying every
 * assignment. Each element of `places` lists the persons who can cast one of the votes.
 */
function filledMax(places: readonly (readonly string[])[], used: readonly string[] = []): number {
  const [first, ...rest] = places;
  if (!first) return 0;
  const tries = first
    .filter((person) => !used.includes(person))
    .map((person) => 1 + filledMax(rest, [...used, person]));
  return Math.max(filledMax(rest, used), ...tries);
}

export const reachable: Property = ({ reachability }, options) => {
  fc.assert(
    fc.property(smallGraph, memberships, words, (graph, members, excluded) => {
      const places = graph.flatMap(({ quorum, roles, users }) => {
        const voters = names.filter(
          (name) =>
            !excluded.includes(name) &&
            (users.includes(name) || roles.some((role) => members.get(role)!.includes(name))),
        );
        return Array.from({ length: quorum }, () => voters);
      });
      const max = filledMax(places);
      expect(reachability(graph, members, new Set(excluded))).to.deep.equal({
        ok: max === places.length,
        max_flow: max,
        required: places.length,
      });
    }),
    options,
  );
};

const anyApplication = fc.record({
  application: fc.constantFrom('app_1', 'app_2', 'app_3'),
  principals: fc.uniqueArray(fc.constantFrom(...names, 'fay', 'gus', 'hal'), { maxLength: 2 }),
  bound: fc.uniqueArray(fc.constantFrom(...names, 'fay', 'gus', 'hal'), { maxLength: 1 }),
  issuers: fc.uniqueArray(fc.constantFrom(...names, 'fay', 'gus', 'hal'), { maxLength: 2 }),
  others: fc.uniqueArray(fc.constantFrom(...names, 'fay', 'gus', 'hal'), { maxLength: 1 }),
  binders: fc.uniqueArray(fc.constantFrom(...names, 'fay', 'gus', 'hal'), { maxLength: 1 }),
});

export const independent: Property = ({ dependence, assessIndependence }, options) => {
  fc.assert(
    fc.property(anyApplication, anyApplication, (creator, approver) => {
      const all = ({ application, ...people }: typeof creator) => [
        application,
        ...Object.values(people).flat(),
      ];
      const shared = all(creator).filter((each) => all(approver).includes(each));
      const said = dependence(creator, approver);
      expect(said === undefined).to.equal(shared.length === 0);
      const stored = assessIndependence(creator, approver, new Date(0));
      expect(new Set(stored.intersections)).to.deep.equal(new Set(shared));
      expect(dependence(approver, creator) === undefined).to.equal(said === undefined);
    }),
    options,
  );
};

/**
 * Checks that the answer to a vote with two obstacles is the refusal of the obstacle that comes first in the
 * list.
 */
export const inOrderOfRefusals: Property = ({ decideApproval }) => {
  expect(decideApproval(allowed)).to.deep.include({ ok: true, node: 1, isComplete: false });
  obstacles.forEach((first, index) => {
    for (const later of [first, ...obstacles.slice(index + 1)]) {
      const verdict = decideApproval({ ...allowed, ...later.change, ...first.change });
      expect(verdict.ok ? 'allowed' : verdict.code, `${first.title}, ${later.title}`).to.equal(first.code);
    }
  });
};

const support = fc.constantFrom(
  'holds',
  'holds',
  'holds',
  'authority_ended',
  'role_lost',
  'not_independent',
) as fc.Arbitrary<'holds' | 'authority_ended'>;
const cast = fc
  .uniqueArray(
    fc.record({ node: fc.integer({ min: 1, max: 3 }), person: fc.constantFrom(...names), support }),
    {
      selector: ({ person }) => person,
    },
  )
  .map((votes) => votes.map((each) => ({ uid: `apv_${each.person}`, ...each })));

export const revalidated: Property = ({ revalidate, decideApproval }, options) => {
  const voter = fc.record({ person: fc.constantFrom(...names), roles: words });
  const cases = fc.record({ graph: smallGraph, votes: cast, voter });
  fc.assert(
    fc.property(cases, ({ graph, votes, voter }) => {
      const holding = votes.filter((each) => each.support === 'holds');
      const isMet = (node: PinnedNode, by: readonly { node: number }[]) =>
        by.filter((each) => each.node === node.position).length >= node.quorum;
      const open = graph.find((node) => !isMet(node, holding));
      const counting = holding.filter(({ node }) => node <= (open?.position ?? Infinity));
      const { counted, voided } = revalidate(graph, votes);
      expect(counted).to.deep.equal(counting);
      expect(new Set(voided.map(({ uid }) => uid))).to.deep.equal(
        new Set(votes.filter((each) => !counting.includes(each)).map(({ uid }) => uid)),
      );
      for (const { uid, reason } of voided) {
        const was = votes.find((each) => each.uid === uid)!.support;
        expect(reason).to.equal(was === 'holds' ? 'earlier_node_reopened' : was);
      }
      const person = { uid: voter.person, isActive: true, roles: voter.roles };
      const verdict = decideApproval({ ...allowed, riskTier: 'T1', nodes: graph, votes, voter: person });
      const may = (node: PinnedNode) =>
        node.users.includes(voter.person) || node.roles.some((role) => voter.roles.includes(role));
      const hasVoted = counting.some((each) => each.person === voter.person);
      expect(verdict.ok).to.equal(!hasVoted && open !== undefined && may(open));
      if (!verdict.ok) return;
      expect(verdict.node).to.equal(open!.position);
      const after = [...counting, { node: open!.position }];
      expect(verdict.isComplete).to.equal(graph.every((node) => isMet(node, after)));
    }),
    options,
  );
};
