import { expect } from 'chai';
import fc from 'fast-check';
import { authorityTiers } from '#lib/actions/authority/authority-body.ts';
import { executionModes } from '#lib/actions/delegations/terms.ts';
import { obligationStates } from '#lib/actions/obligations/obligation.ts';
import { environments } from '#lib/database/base.ts';
import { checkCondition } from '#lib/governance/policy/condition.ts';
import { fieldNames, fields } from '#lib/governance/policy/fields.ts';
import { operators, operatorsOf } from '#lib/governance/policy/operators.ts';
import { checkPolicy } from '#lib/governance/policy/policy.ts';
import { anyCondition, anyScope, policyOf, ruleOf } from '../../../support/policy.ts';

const euro = { field: 'currency', op: 'eq', value: 'EUR' };
const amount = { field: 'amount_minor', op: 'lte', value: 500 };
const hour = { field: 'local_time.hour', op: 'eq', value: 9 };
const nested = (levels: number): unknown => (levels === 1 ? hour : { not: nested(levels - 1) });

describe('the check of a condition', () => {
  it('I-089 ends for any value, and reports each fault with a pointer into the value', () => {
    fc.assert(
      fc.property(anyCondition, (condition) => {
        for (const { pointer } of checkCondition(condition)) {
          const way = pointer.split('/').slice(1);
          way.reduce((at: any, word) => at?.[word], condition);
          expect(pointer === '' || pointer.startsWith('/')).to.equal(true);
        }
      }),
    );
  });

  const cases: [string, unknown, [string, string][]][] = [
    ['an amount with its currency', { all: [euro, amount] }, []],
    [
      'an amount nested deeper than the condition on its currency',
      { all: [euro, { not: { any: [amount, hour] } }] },
      [],
    ],
    ['one currency in a list with `in`', { all: [{ ...euro, op: 'in', value: ['EUR'] }, amount] }, []],
    ['a test whether an amount exists', { field: 'amount_minor', op: 'exists', value: true }, []],
    ['an empty `all`, which is always true', { all: [] }, []],
    ['eight levels, the maximum', nested(8), []],
    ['nine levels', nested(9), [['/not/not/not/not/not/not/not/not', 'condition_depth']]],
    ['five thousand levels', nested(10_000 / 2), [['/not/not/not/not/not/not/not/not', 'condition_depth']]],
    ['200 atoms, the maximum', { any: Array.from({ length: 200 }, () => hour) }, []],
    ['201 atoms', { any: Array.from({ length: 201 }, () => hour) }, [['/any/200', 'condition_atoms']]],
    [
      'a hundred thousand empty groups',
      { all: Array.from({ length: 1e5 }, () => ({ all: [] })) },
      [['/all/200', 'condition_atoms']],
    ],
    ['an empty `any`, which is never true', { any: [] }, [['/any', 'condition_empty']]],
    ['an amount without a condition on the currency', amount, [['', 'currency_missing']]],
    ['an amount as an alternative to a currency', { any: [euro, amount] }, [['/any/1', 'currency_missing']]],
    [
      'an amount with an excluded currency',
      { all: [{ not: euro }, amount] },
      [['/all/1', 'currency_missing']],
    ],
    [
      'two currencies that must both be equal',
      { all: [euro, { ...euro, value: 'USD' }, hour] },
      [['/all', 'currency_ambiguous']],
    ],
    ['two groups in one object', { all: [], any: [hour] }, [['', 'condition_form']]],
    ['an atom with an unknown member', { ...hour, note: 1 }, [['', 'condition_form']]],
    ['a list instead of a condition', [hour], [['', 'condition_form']]],
    ['null instead of a condition', { not: null }, [['/not', 'condition_form']]],
    ['a text instead of a list of conditions', { all: 'x' }, [['', 'condition_form']]],
    ['an unknown field', { ...hour, field: 'hour' }, [['/field', 'unknown_field']]],
    [
      'a field that is a member of every JavaScript object',
      { ...hour, field: 'constructor' },
      [['/field', 'unknown_field']],
    ],
    ['an unknown operator', { ...hour, op: 'matches' }, [['/op', 'unknown_operator']]],
    ['a text compared by size', { field: 'action', op: 'lt', value: 'a' }, [['/op', 'operator_type']]],
    ['an id compared by size', { field: 'counterparty_id', op: 'gt', value: 1 }, [['/op', 'operator_type']]],
    [
      'an unknown value of an enumeration',
      { field: 'risk_tier', op: 'eq', value: 'low' },
      [['/value', 'value_type']],
    ],
    ['a withdrawn currency', { ...euro, value: 'DEM' }, [['/value', 'value_type']]],
    ['a number out of range', { ...hour, value: 24 }, [['/value', 'value_type']]],
    ['a number as text', { ...hour, value: '9' }, [['/value', 'value_type']]],
    ['a list instead of one value', { ...hour, value: [9] }, [['/value', 'value_type']]],
    ['one value instead of a list', { ...hour, op: 'in', value: 9 }, [['/value', 'value_type']]],
    ['an empty list', { ...hour, op: 'in', value: [] }, [['/value', 'value_type']]],
    [
      'a range with its upper end first',
      { ...hour, op: 'between', value: [9, 8] },
      [['/value', 'value_order']],
    ],
    ['a range of three numbers', { ...hour, op: 'between', value: [1, 2, 3] }, [['/value', 'value_type']]],
    [
      'an instant on a day that does not exist',
      { field: 'now', op: 'lt', value: '2026-02-30T00:00:00.000Z' },
      [['/value', 'value_type']],
    ],
    [
      'an instant without milliseconds',
      { field: 'now', op: 'lt', value: '2026-02-28T00:00:00Z' },
      [['/value', 'value_type']],
    ],
    ['`exists` with a text', { ...hour, op: 'exists', value: 'yes' }, [['/value', 'value_type']]],
    [
      'two faults, and reports both',
      { all: [{ ...hour, value: 24 }, { not: { ...hour, op: 'is' } }] },
      [
        ['/all/0/value', 'value_type'],
        ['/all/1/not/op', 'unknown_operator'],
      ],
    ],
  ];
  for (const [about, condition, expected] of cases) {
    it(`${expected.length ? 'rejects' : 'accepts'} ${about}`, () => {
      const flaws = checkCondition(condition).map(({ pointer, code }) => [pointer, code]);
      expect(flaws).to.deep.equal(expected);
    });
  }

  it('accepts an operator exactly for the field types that support the operator', () => {
    const literal: Record<string, unknown> = { money: 1, integer: 1, id: 1, boolean: true };
    for (const field of fieldNames.filter((name) => fields[name].type in literal)) {
      const { type } = fields[field];
      for (const op of operators) {
        const one = literal[type];
        const value =
          op === 'exists' ? true : op === 'between' ? [one, one] : op.endsWith('in') ? [one] : one;
        const flaws = checkCondition({ all: [euro, { field, op, value }] });
        expect(flaws.length === 0, `${field} ${op}`).to.equal(operatorsOf[type].includes(op));
      }
    }
  });
});

describe('the check of a policy', () => {
  it('accepts a condition on an amount only if the scope of the policy has one currency', () => {
    const policy = (currencies: string[]) =>
      checkPolicy(policyOf([ruleOf('small', 'allow', amount)], { scope: { ...anyScope, currencies } }));
    expect(policy(['EUR'])).to.deep.equal([]);
    expect(policy(['EUR', 'USD']).map(({ code }) => code)).to.deep.equal(['currency_missing']);
    expect(policy(['DEM']).map(({ pointer }) => pointer)).to.deep.equal(['/scope/currencies/0']);
  });

  it('rejects a repeated key and an approval graph on a rule that requires no approval', () => {
    const rules = [ruleOf('a', 'allow'), { ...ruleOf('a', 'deny'), approval_graph_key: 'treasury' }];
    expect(checkPolicy(policyOf(rules)).map(({ pointer, code }) => [pointer, code])).to.deep.equal([
      ['/rules/1/key', 'rule_key_taken'],
      ['/rules/1/approval_graph_key', 'graph_without_approval'],
    ]);
  });

  it('accepts exactly the values of enumerated fields that the records can have', () => {
    expect(fields['obligation.governance_state'].values).to.deep.equal([...obligationStates]);
    expect(fields.risk_tier.values).to.deep.equal([...authorityTiers]);
    expect(fields.execution_mode.values).to.deep.equal([...executionModes]);
    expect(fields.environment.values).to.deep.equal([...environments]);
  });
});
