import { expect } from 'chai';
import fc from 'fast-check';
import type { AuthorityBody } from '#lib/actions/authority/authority-body.ts';
import type { Limit } from '#lib/actions/authority/limits.ts';
import { localDay, zones } from './local-day.ts';
import type { Property } from './rules.ts';
import { authorityFor, plainTerms } from './world.ts';

const MINUTE = 60_000;
const aroundMidnight = fc
  .record({
    zone: fc.constantFrom(...Object.keys(zones)),
    day: fc.integer({ min: 0, max: 8 * 365 }),
    off: fc.oneof(fc.constantFrom(-1, 0, 1), fc.integer({ min: -1_440 * MINUTE, max: 1_440 * MINUTE })),
  })
  .map(({ zone, day, off }) => {
    const midnight = Date.UTC(2024, 0, 1 + day);
    return { zone, instant: new Date(midnight - zones[zone]!(midnight - zones[zone]!(midnight)) + off) };
  });

export const inItsWindow: Property = ({ windowsAt }, options) => {
  fc.assert(
    fc.property(aroundMidnight, ({ zone, instant }) => {
      expect(windowsAt(instant, zone)).to.deep.equal(localDay(instant, zone));
    }),
    options,
  );
};

const amount = fc.oneof(
  fc.bigInt({ min: 1n, max: 20n }),
  fc.bigInt({ min: 1n, max: BigInt(Number.MAX_SAFE_INTEGER) }),
);

export const withinBudgets: Property = ({ budgetRefusal }, options) => {
  const drawn = fc.record({
    sizes: fc.tuple(amount, amount, amount),
    used: fc.tuple(fc.nat(10), fc.nat(10), fc.nat(10), fc.nat(10)),
    near: fc.bigInt({ min: -2n, max: 2n }),
    to: fc.constantFrom('zero', 'per_action', 'day', 'month'),
  });
  fc.assert(
    fc.property(drawn, ({ sizes, used, near, to }) => {
      const [action, day, month] = [...sizes].sort((a, b) => (a < b ? -1 : 1)) as [bigint, bigint, bigint];
      const share = (cap: bigint, part: number, of: number) => (cap * BigInt(part)) / BigInt(of);
      const [a, b, c, d] = used;
      const use = {
        day: { reserved: share(day, a, 20), settled: share(day, b, 20) },
        month: { reserved: share(month, c, 20), settled: share(month, d, 20) },
      };
      const left = {
        zero: 0n,
        per_action: action,
        day: day - use.day.reserved - use.day.settled,
        month: month - use.month.reserved - use.month.settled,
      };
      const wanted = left[to as keyof typeof left] + near;
      const budgets = {
        per_action_minor: Number(action),
        per_day_minor: Number(day),
        per_month_minor: Number(month),
      };
      const said = budgetRefusal(wanted, budgets, use);
      const first =
        wanted < 1n
          ? 'zero'
          : (['per_action', 'day', 'month'] as const).find((bound) => wanted > left[bound]);
      const expected = {
        zero: { code: 'amount_not_positive' },
        per_action: { code: 'per_action_exceeded', bound_minor: budgets.per_action_minor },
        day: exceeded('day', day, left.day),
        month: exceeded('month', month, left.month),
      };
      expect(said).to.deep.equal(first && expected[first]);
    }),
    options,
  );
};

function exceeded(window: 'day' | 'month', cap: bigint, left: bigint) {
  return { code: 'budget_exceeded', window, bound_minor: Number(cap), remaining_minor: Number(left) };
}

const nullable = fc.option(fc.integer({ min: 1, max: 4 }));
const limit = fc.record({
  currency: fc.constantFrom('EUR', 'USD'),
  per_action_minor: fc.integer({ min: 1, max: 4 }),
  per_day_minor: nullable,
  per_month_minor: nullable,
}) as fc.Arbitrary<Limit>;
const instants = ['2026-01-01T00:00:00Z', '2026-02-01T00:00:00Z', '2026-03-01T00:00:00Z'];
const anyOr = <T>(...values: T[]) =>
  fc.oneof(fc.constant('any_registered' as const), fc.uniqueArray(fc.constantFrom(...values)));
const body = fc.record({
  grantee: fc.constant({ kind: 'user', person_uid: 'ann' }),
  actions: fc.uniqueArray(fc.constantFrom('obligation.pay', 'collateral.transfer'), { minLength: 1 }),
  capabilities: fc.uniqueArray(fc.constantFrom('approve_delegation', 'release'), { minLength: 1 }),
  connectors: anyOr('sepa_ct', 'swift'),
  counterparties: anyOr(7, 8),
  max_risk_tier: fc.constantFrom('T1', 'T2', 'T3'),
  limits: fc.uniqueArray(limit, { minLength: 1, selector: ({ currency }) => currency }),
  valid_from: fc.constantFrom(...instants),
  valid_until: fc.constantFrom(...instants),
  granted_under: fc.constant('above'),
}) as fc.Arbitrary<AuthorityBody>;
const terms = fc
  .record({
    action: fc.constantFrom('obligation.pay', 'collateral.transfer'),
    counterparty_id: fc.constantFrom(7, 8, 9),
    connector: fc.constantFrom('sepa_ct', 'swift', 'other'),
    currency: fc.constantFrom('EUR', 'USD'),
    risk_tier: fc.constantFrom('T1' as const, 'T2' as const),
    valid_until: fc.constantFrom(...instants),
    budgets: fc.tuple(fc.integer({ min: 1, max: 5 }), fc.nat(2), fc.nat(2)).map(([action, more, max]) => ({
      per_action_minor: action,
      per_day_minor: action + more,
      per_month_minor: action + more + max,
    })),
  })
  .map((each) => ({ ...plainTerms, ...each }));

/** Two authorities that often differ only slightly, because a wrong comparison shows only in such pairs. */
const granted = body.chain((above) =>
  fc.tuple(
    fc.constant(above),
    fc
      .tuple(body, fc.subarray(Object.keys(above) as (keyof AuthorityBody)[], { maxLength: 3 }))
      .map(([other, changed]) => ({
        ...above,
        ...(Object.fromEntries(changed.map((member) => [member, other[member]])) as Partial<AuthorityBody>),
      })),
  ),
);

const all = 'any_registered';
const isPart = (part: string | readonly unknown[], whole: string | readonly unknown[]) =>
  whole === all || (part !== all && [...part].every((each) => (whole as readonly unknown[]).includes(each)));

export const notAmplified: Property = ({ widenedMembers, excessFaults, uncovered }, options) => {
  fc.assert(
    fc.property(granted, fc.array(terms, { minLength: 20, maxLength: 20 }), ([above, below], many) => {
      const isNarrower =
        !widenedMembers(below, above).length && !excessFaults(below.limits, above.limits, '', '', '').length;
      const max = (value: number | null) => value ?? Infinity;
      const fits =
        (['actions', 'capabilities', 'connectors', 'counterparties'] as const).every((set) =>
          isPart(below[set], above[set]),
        ) &&
        below.max_risk_tier <= above.max_risk_tier &&
        below.valid_from >= above.valid_from &&
        below.valid_until <= above.valid_until &&
        below.limits.every((each) => {
          const over = above.limits.find(({ currency }) => currency === each.currency);
          return (
            over !== undefined &&
            each.per_action_minor <= over.per_action_minor &&
            max(each.per_day_minor) <= max(over.per_day_minor) &&
            max(each.per_month_minor) <= max(over.per_month_minor)
          );
        });
      expect(isNarrower).to.equal(fits);
      if (!isNarrower) return;
      for (const one of many) {
        if (!uncovered(below, one).length) expect(uncovered(above, one)).to.deep.equal([]);
      }
    }),
    options,
  );
};

export const coveredToTheBound: Property = ({ uncovered }) => {
  const authority = authorityFor('ann');
  expect(uncovered(authority, plainTerms)).to.deep.equal([]);
  const { budgets } = plainTerms;
  const beyondIt: [string, Partial<typeof plainTerms>][] = [
    ['action', { action: 'collateral.transfer' }],
    ['connector', { connector: 'swift' }],
    ['counterparty_id', { counterparty_id: 8 }],
    ['risk_tier', { risk_tier: 'T2' }],
    ['risk_tier', { risk_tier: 'T0' as 'T1' }],
    ['valid_until', { valid_until: '2026-06-01T00:00:00.001Z' }],
    ['valid_until', { valid_until: '2026-05-31T23:59:60Z' }],
    ['currency', { currency: 'USD' }],
    ...(Object.keys(budgets) as (keyof typeof budgets)[]).map(
      (bound): [string, Partial<typeof plainTerms>] => [
        `budgets.${bound}`,
        { budgets: { ...budgets, [bound]: budgets[bound] + 1 } },
      ],
    ),
  ];
  for (const [path, change] of beyondIt) {
    const failed = uncovered(authority, { ...plainTerms, ...change });
    expect(
      failed.map((atom) => atom.path),
      JSON.stringify(change),
    ).to.deep.equal([path]);
  }
  for (const bound of Object.keys(budgets) as (keyof typeof budgets)[]) {
    const less = { ...plainTerms, budgets: { ...budgets, [bound]: budgets[bound] - 1 } };
    expect(uncovered(authority, less)).to.deep.equal([]);
  }
  const releasing = { ...authority, capabilities: ['release' as const] };
  expect(uncovered(releasing, plainTerms).map(({ path }) => path)).to.deep.equal(['capabilities']);
};

/**
 * Checks that budgets close to one another are accepted if they are ordered and positive, and refused
 * otherwise.
 */
export const inOrder: Property = ({ termsFaults }) => {
  const sizes = [0, 1, 2, 3];
  for (const per_action_minor of sizes) {
    for (const per_day_minor of sizes) {
      for (const per_month_minor of sizes) {
        const budgets = { per_action_minor, per_day_minor, per_month_minor };
        const isOrdered =
          1 <= per_action_minor && per_action_minor <= per_day_minor && per_day_minor <= per_month_minor;
        const faults = termsFaults({ ...plainTerms, budgets }, new Date('2026-03-27T12:00:00Z'));
        expect(
          faults.map(({ code }) => code),
          JSON.stringify(budgets),
        ).to.deep.equal(isOrdered ? [] : ['budget_order']);
      }
    }
  }
};
