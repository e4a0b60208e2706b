import { expect } from 'chai';
import fc from 'fast-check';
import {
  dataActions,
  decideDataUse,
  type Constraints,
  type DataUse,
  type Entitlement,
  type Rule,
} from '#lib/data/rights/decide.ts';

const instant = fc.constantFrom('2026-01-01T00:00:00Z', '2026-06-15T12:00:00.000Z', '2026-12-31T00:00:00Z');
const words = fc.array(fc.constantFrom('a', 'b', 'c'), { minLength: 1, maxLength: 2 });
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined, freq: 2 });
const constraints: fc.Arbitrary<Constraints> = fc.record({
  purposes: maybe(words),
  regions: maybe(words),
  delay_minutes: maybe(fc.nat(30)),
  max_rows_per_day: maybe(fc.nat(30)),
  valid_from: maybe(instant),
  valid_until: maybe(instant),
});
const action = fc.constantFrom<string>(...dataActions);
const rule: fc.Arbitrary<Rule> = fc.record({ action, constraints });
const duty = fc.record({
  action: fc.constant('attribute'),
  due: maybe(instant),
  before_use: maybe(fc.boolean()),
  fulfilled_at: maybe(instant),
});
const entitlement = (uid: string): fc.Arbitrary<Entitlement> =>
  fc.record({
    uid: fc.constant(uid),
    dataset: fc.constantFrom('dst_1', 'dst_2'),
    assignee: fc.constantFrom('wsp_1', 'wsp_2'),
    permissions: fc.array(rule, { maxLength: 6 }),
    prohibitions: fc.array(rule, { maxLength: 2 }),
    duties: fc.array(duty, { maxLength: 2 }),
    valid_from: maybe(instant),
    valid_until: maybe(instant),
    suspended: fc.boolean(),
  });
const entitlements = fc
  .integer({ min: 0, max: 3 })
  .chain((count) => fc.tuple(...['ent_a', 'ent_b', 'ent_c'].slice(0, count).map(entitlement)));
const use: fc.Arbitrary<DataUse> = fc.record({
  dataset: fc.constant('dst_1'),
  assignee: fc.constant('wsp_1'),
  action: fc.oneof(action, fc.string()),
  at: instant,
  purpose: fc.option(fc.constantFrom('a', 'b')),
  region: fc.option(fc.constantFrom('a', 'b')),
  data_age_minutes: fc.option(fc.nat(40)),
  rows_today: fc.nat(20),
  rows_requested: fc.nat(20),
});
const open: Rule[] = dataActions.map((each) => ({ action: each, constraints: {} }));
const whole = (more: Partial<Entitlement> = {}): Entitlement => ({
  uid: 'ent_a',
  dataset: 'dst_1',
  assignee: 'wsp_1',
  permissions: open,
  prohibitions: [],
  duties: [],
  ...more,
});
const asked = (more: Partial<DataUse> = {}): DataUse => ({
  dataset: 'dst_1',
  assignee: 'wsp_1',
  action: 'read',
  at: '2026-06-15T12:00:00Z',
  purpose: null,
  region: null,
  data_age_minutes: null,
  rows_today: 0,
  rows_requested: 0,
  ...more,
});

describe('the decision about a use of data', () => {
  it('does not depend on the order of the entitlements (I-203)', () => {
    fc.assert(
      fc.property(entitlements, use, (held, wanted) => {
        expect(decideDataUse([...held].reverse(), wanted)).to.deep.equal(decideDataUse(held, wanted));
      }),
    );
  });

  it('never changes from deny to permit because a prohibition is added (I-203)', () => {
    fc.assert(
      fc.property(entitlements, entitlement('ent_d'), use, (held, further, wanted) => {
        const prohibiting = { ...further, permissions: [], dataset: 'dst_1', assignee: 'wsp_1' };
        const before = decideDataUse(held, wanted);
        const after = decideDataUse([...held, prohibiting], wanted);
        if (before.effect === 'deny') expect(after.effect).to.equal('deny');
      }),
    );
  });

  it('exists for every use, and is deny for every unknown action', () => {
    fc.assert(
      fc.property(entitlements, use, (held, wanted) => {
        const { effect, code } = decideDataUse(held, wanted);
        expect(effect === 'permit').to.equal(code === null);
        if (!dataActions.some((each) => each === wanted.action)) expect(code).to.equal('unknown_action');
      }),
    );
    for (const name of ['Read', 'constructor', '__proto__', '']) {
      expect(decideDataUse([whole()], asked({ action: name })).code).to.equal('unknown_action');
    }
  });

  it('treats a constraint on an unstated value as met for a prohibition and as unmet for a permission', () => {
    const limited: Rule[] = [{ action: 'read', constraints: { purposes: ['research'] } }];
    expect(decideDataUse([whole({ permissions: limited })], asked()).code).to.equal('constraint_unmet');
    expect(decideDataUse([whole({ prohibitions: limited })], asked()).code).to.equal('prohibited');
    const stated = asked({ purpose: 'trading' });
    expect(decideDataUse([whole({ prohibitions: limited })], stated).effect).to.equal('permit');
  });

  it('compares instants by their time, not by their text', () => {
    const until = whole({ valid_until: '2026-06-15T12:00:00Z' });
    expect(decideDataUse([until], asked({ at: '2026-06-15T11:59:59.999Z' })).effect).to.equal('permit');
    expect(decideDataUse([until], asked({ at: '2026-06-15T12:00:00.000Z' })).code).to.equal('not_entitled');
  });
});
