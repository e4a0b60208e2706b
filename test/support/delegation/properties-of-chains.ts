import { expect } from 'chai';
import fc from 'fast-check';
import type { AuthorityBody } from '#lib/actions/authority/authority-body.ts';
import type { Property } from './rules.ts';
import { authorityFor, plainTerms } from './world.ts';

const keys = ['a', 'b', 'c', 'd'] as const;
const people = ['ann', 'ben', 'cyd'] as const;
const person = fc.constantFrom(...people);
const NOW = new Date('2026-04-01T00:00:00Z');
const day = plainTerms.budgets.per_day_minor;

const limits = fc
  .constantFrom(day, day, day, day - 1)
  .map((per_day_minor) => [{ currency: plainTerms.currency, ...plainTerms.budgets, per_day_minor }]);
const often = <T>(value: T, ...others: T[]) => fc.constantFrom(value, value, value, value, ...others);
const authority = fc
  .record({
    state: often('active' as const, 'suspended' as const, 'ended' as const),
    submittedByUid: fc.option(person, { freq: 8 }),
    grantee: fc.oneof(
      person.map((person_uid) => ({ kind: 'user' as const, person_uid })),
      fc.constantFrom('heads', 'clerks').map((role) => ({ kind: 'role' as const, role })),
    ),
    limits,
    valid_from: often('2026-01-01T00:00:00Z', '2026-04-01T00:00:00.001Z'),
    valid_until: often(plainTerms.valid_until, '2026-04-01T00:00:00Z'),
    granted_under: fc.option(fc.constantFrom(...keys, 'nowhere'), { freq: 3 }),
  })
  .map(({ state, submittedByUid, ...body }) => ({
    state,
    submittedByUid,
    body: { ...authorityFor('ann'), ...body } as AuthorityBody,
  }));
const world = fc.record({
  all: fc.tuple(authority, authority, authority, authority),
  persons: fc.subarray([...people], { minLength: 2 }),
  heads: fc.subarray([...people]),
  clerks: fc.subarray([...people]),
  ceiling: fc.option(limits, { freq: 6 }),
  vote: fc.record({
    personUid: person,
    authorityUid: fc.constantFrom(...keys),
    role: fc.option(fc.constantFrom('heads', 'clerks', 'nobodies'), { freq: 2 }),
  }),
});

/**
 * Checks that an authority is effective if and only if a chain of grants connects it to the ceiling, and every
 * authority in the chain covers the terms.
 */
export const restingOnTheCeiling: Property = (rules, options) => {
  fc.assert(
    fc.property(world, ({ all, persons, heads, clerks, ceiling, vote }) => {
      const authorities = new Map(
        all.map((each, index) => [keys[index]!, { ...each, uid: keys[index]!, key: keys[index]! }]),
      );
      const inForce = [...authorities.values()].filter(({ state }) => state === 'active');
      const active = (role: string[]) => role.filter((each) => persons.includes(each as 'ann'));
      const powers = {
        now: NOW,
        persons: new Set<string>(persons),
        members: new Map([
          ['heads', active(heads)],
          ['clerks', active(clerks)],
        ]),
        inForce: new Map(inForce.map((each) => [each.key as string, each])),
        ceiling: ceiling ?? [],
        authorities,
      };
      const has = (body: AuthorityBody, who: string | null) =>
        who !== null &&
        persons.includes(who as 'ann') &&
        (body.grantee.kind === 'user'
          ? body.grantee.person_uid === who
          : (powers.members.get(body.grantee.role) ?? []).includes(who));
      const isDue = ({ valid_from, valid_until }: AuthorityBody) =>
        Date.parse(valid_from) <= NOW.getTime() && NOW.getTime() < Date.parse(valid_until);
      const covers = (these: AuthorityBody['limits']) => these.some((each) => each.per_day_minor === day);
      /**
       * For each authority that a chain of grants connects to the ceiling: whether the ceiling and every authority in
       * the chain cover the terms.
       */
      const covering = new Map<string, boolean>();
      for (const _ of keys) {
        for (const { key, body, submittedByUid } of inForce) {
          const under = body.granted_under;
          const below = under === null ? covers(powers.ceiling) : covering.get(under);
          if (below === undefined || !isDue(body)) continue;
          if (under !== null && !has(authorities.get(under as 'a')!.body, submittedByUid)) continue;
          covering.set(key, below && covers(body.limits));
        }
      }
      for (const key of keys) expect(rules.chainOf(key, powers) !== undefined).to.equal(covering.has(key));
      const held = rules.heldAuthorities(powers, vote.personUid, (body) => rules.uncovered(body, plainTerms));
      for (const { uid, isLive, failed } of held) {
        expect(isLive).to.equal(covering.has(uid));
        if (isLive) expect(!failed.length).to.equal(covering.get(uid));
      }
      const of = authorities.get(vote.authorityUid)!;
      const isHolder = has(of.body, vote.personUid) && covering.has(of.key);
      const expected = !persons.includes(vote.personUid)
        ? 'person_not_active'
        : vote.role && !powers.members.get(vote.role)?.includes(vote.personUid)
          ? 'role_lost'
          : !isHolder
            ? 'authority_ended'
            : covering.get(of.key)
              ? 'holds'
              : 'authority_insufficient';
      expect(rules.supportOf(powers, plainTerms, vote)).to.equal(expected);
    }),
    options,
  );
};
