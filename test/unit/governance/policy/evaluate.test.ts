import { expect } from 'chai';
import fc from 'fast-check';
import { compilePolicies } from '#lib/governance/policy/evaluate.ts';
import { evaluatePolicies } from '../../../support/evaluate-policies.ts';
import type { PolicyInput } from '#lib/governance/policy/fields.ts';
import { checkPolicy, type Policy } from '#lib/governance/policy/policy.ts';
import { decidePolicies, partPolicies } from '#lib/governance/policy/shadow.ts';
import { referenceDecision } from '../../../support/policy-reference.ts';
import {
  anyCondition,
  anyScope,
  inputs,
  policyOf,
  policySets,
  ruleOf,
  validCondition,
} from '../../../support/policy.ts';
import { repetitions } from '../../../support/repetitions.ts';

const RUNS = { numRuns: repetitions.policies };

describe('a decision on policies', () => {
  it('I-085 does not depend on the order of policies and rules', () => {
    const shuffled = policySets(anyCondition).chain((policies) =>
      fc.tuple(
        fc.constant(policies),
        fc
          .tuple(
            ...policies.map((policy) =>
              fc
                .shuffledSubarray([...policy.rules], { minLength: policy.rules.length })
                .map((rules) => ({ ...policy, rules })),
            ),
          )
          .chain((each) => fc.shuffledSubarray(each, { minLength: each.length })),
      ),
    );
    fc.assert(
      fc.property(shuffled, inputs, ([policies, other], input) => {
        expect(evaluatePolicies(other, input)).to.deep.equal(evaluatePolicies(policies, input));
      }),
      RUNS,
    );
  });

  it('I-086 stays a deny if a rule is added, unless the deny was only the default', () => {
    fc.assert(
      fc.property(policySets(anyCondition), anyCondition, inputs, (policies, when, input) => {
        const before = evaluatePolicies(policies, input);
        const plus = (effect: 'deny' | 'allow') =>
          evaluatePolicies([...policies, policyOf([ruleOf('more', effect, when)], { uid: 'pol_9' })], input);
        if (before.effect === 'deny') expect(plus('deny').effect).to.equal('deny');
        if (before.effect === 'deny' && !before.default) expect(plus('allow').effect).to.equal('deny');
        if (before.effect === 'require_approval') expect(plus('allow').effect).to.not.equal('allow');
      }),
      RUNS,
    );
  });

  it('I-087 is a default deny if there is no policy', () => {
    fc.assert(
      fc.property(inputs, (input) => {
        expect(evaluatePolicies([], input)).to.include({ effect: 'deny', default: true });
      }),
    );
  });

  const small = { field: 'amount_minor', op: 'lte', value: 500 };
  const euro = { ...anyScope, currencies: ['EUR'] };
  const erring: [string, PolicyInput, string][] = [
    ['a missing field', { currency: 'EUR' }, 'missing_field'],
    ['null instead of an amount', { currency: 'EUR', amount_minor: null }, 'missing_field'],
    ['a value of another type', { currency: 'EUR', amount_minor: '400' }, 'type_mismatch'],
    ['an amount that is not a whole number', { currency: 'EUR', amount_minor: 0.5 }, 'type_mismatch'],
    ['an amount below zero', { currency: 'EUR', amount_minor: -1 }, 'type_mismatch'],
  ];
  for (const [about, input, code] of erring) {
    it(`I-088 is a deny that names the rule if an allow rule reads ${about}`, () => {
      const policies = [policyOf([ruleOf('all', 'allow'), ruleOf('small', 'allow', small)], { scope: euro })];
      const { effect, default: isDefault, errors } = evaluatePolicies(policies, input);
      expect([effect, isDefault]).to.deep.equal(['deny', false]);
      expect(errors).to.deep.equal([
        { policy_uid: 'pol_1', version: 1, rule_key: 'small', path: '/when', code },
      ]);
    });
  }

  it('I-088 never compares an amount with a bound in another currency', () => {
    const inEuro = { any: [{ all: [{ field: 'currency', op: 'eq', value: 'EUR' }, small] }, { not: small }] };
    const policies = [policyOf([ruleOf('all', 'allow'), ruleOf('small', 'deny', inEuro)], { scope: euro })];
    const other = policyOf([ruleOf('any', 'allow', { field: 'amount_minor', op: 'eq', value: 1 })]);
    expect(checkPolicy(policies[0]!)).to.deep.equal([]);
    expect(evaluatePolicies([other], { currency: 'USD', amount_minor: 1 }).errors).to.deep.equal([
      { policy_uid: 'pol_1', version: 1, rule_key: 'any', path: '/when', code: 'invalid_condition' },
    ]);
    const inverted = ruleOf('inverted', 'allow', {
      not: { all: [{ not: { field: 'currency', op: 'eq', value: 'USD' } }, { not: small }] },
    });
    expect(checkPolicy(policyOf([inverted])).map(({ code }) => code)).to.deep.equal(['currency_missing']);
  });

  it('reports an error in a condition only if the error could change the result of the condition', () => {
    const missing = { field: 'usage.day_minor', op: 'lte', value: 1 };
    const guarded = { all: [{ field: 'usage.day_minor', op: 'exists', value: true }, missing] };
    const input = { currency: 'EUR', amount_minor: 400 };
    const decide = (when: unknown) =>
      evaluatePolicies(
        [policyOf([ruleOf('all', 'allow'), ruleOf('no', 'deny', when)], { scope: euro })],
        input,
      );
    expect(decide(guarded).effect).to.equal('allow');
    expect(decide({ all: guarded.all.toReversed() }).effect).to.equal('allow');
    expect(decide({ any: [missing, small] }).determining.map(({ rule_key }) => rule_key)).to.deep.equal([
      'no',
    ]);
    expect(decide({ not: missing }).errors).to.have.length(1);
    expect(decide({ all: [missing, small] }).errors.map(({ path }) => path)).to.deep.equal(['/when/all/0']);
  });

  it('is a deny if the scope cannot be evaluated, unless the condition is false', () => {
    const scope = { ...anyScope, connectors: ['sepa_ct'] };
    const never = { field: 'action', op: 'eq', value: 'other' };
    const rules = [ruleOf('allowed', 'allow'), ruleOf('never', 'deny', never)];
    const decision = evaluatePolicies([policyOf(rules, { scope })], { action: 'obligation.pay' });
    expect(decision.effect).to.equal('deny');
    expect(decision.errors.map(({ rule_key, path }) => [rule_key, path])).to.deep.equal([
      ['allowed', '/scope/connectors'],
    ]);
    const outside = evaluatePolicies([policyOf(rules, { scope })], { action: 'other', connector: 'swift' });
    expect(outside).to.include({ effect: 'deny', default: true });
  });

  it('I-089 terminates for any conditions and is a deny if a condition has an error', () => {
    fc.assert(
      fc.property(policySets(anyCondition), inputs, (policies, input) => {
        const decision = evaluatePolicies(policies, input);
        const named = new Set(decision.errors.map(({ policy_uid, rule_key }) => `${policy_uid}${rule_key}`));
        for (const { policy_uid, rule_key } of decision.determining) {
          expect(named.has(`${policy_uid}${rule_key}`)).to.equal(false);
        }
        if (named.size > 0) expect(decision.effect).to.equal('deny');
      }),
      RUNS,
    );
  });

  it('equals the decision of a naive evaluator for any conditions', () => {
    const seen = new Set<string>();
    fc.assert(
      fc.property(policySets(fc.oneof(validCondition, anyCondition)), inputs, (policies, input) => {
        const decision = evaluatePolicies(policies, input);
        const names = (rows: readonly { policy_uid: string; rule_key: string }[]) =>
          [...new Set(rows.map(({ policy_uid, rule_key }) => `${policy_uid}/${rule_key}`))].toSorted();
        expect({
          effect: decision.effect,
          isDefault: decision.default,
          determining: names(decision.determining),
          errors: names(decision.errors),
          atoms: [...decision.failed, ...decision.approval_because]
            .map(({ policy_uid, rule_key, path }) => `${policy_uid}/${rule_key}${path}`)
            .toSorted(),
        }).to.deep.equal(referenceDecision(policies, input));
        seen.add(decision.errors.length ? 'error' : decision.default ? 'default' : decision.effect);
      }),
      { numRuns: repetitions.policyDecisions },
    );
    expect([...seen].toSorted()).to.deep.equal(['allow', 'default', 'deny', 'error', 'require_approval']);
  });

  it('I-090 is the same for equal policies and input', () => {
    fc.assert(
      fc.property(policySets(anyCondition), inputs, (policies, input) => {
        const kept = JSON.parse(JSON.stringify({ policies, input })) as { policies: Policy[]; input: any };
        expect(evaluatePolicies(kept.policies, kept.input)).to.deep.equal(evaluatePolicies(policies, input));
      }),
    );
  });

  it('I-091 states a field value with which each failed atom would be met', () => {
    let bounds = 0;
    fc.assert(
      fc.property(policySets(validCondition), inputs, (policies, input) => {
        const set = compilePolicies(policies);
        for (const { field, bound, bound_minor, policy_uid, rule_key, path } of set.decide(input).failed) {
          const to = bound ?? bound_minor;
          if (to === undefined) continue;
          bounds += 1;
          const still = set
            .decide({ ...input, [field]: to })
            .failed.some(
              (each) => each.policy_uid === policy_uid && each.rule_key === rule_key && each.path === path,
            );
          expect(still, `${path} with ${JSON.stringify(to)}`).to.equal(false);
        }
      }),
      RUNS,
    );
    expect(bounds).to.be.greaterThan(repetitions.policies / 4);
  });

  it('I-093 does not depend on shadow policies, but reports the decision with these policies', () => {
    fc.assert(
      fc.property(policySets(anyCondition), policySets(anyCondition), inputs, (enforced, others, input) => {
        const shadow = others.map((policy) => ({
          ...policy,
          uid: `${policy.uid}s`,
          mode: 'shadow' as const,
        }));
        const beside = decidePolicies(partPolicies([...shadow, ...enforced]), input);
        const alone = decidePolicies(partPolicies(enforced), input);
        expect(beside.decision).to.deep.equal(alone.decision);
        expect(alone.shadow).to.equal(null);
        const would = evaluatePolicies([...enforced, ...shadow], input);
        expect(beside.shadow!.decision).to.deep.equal(would);
        expect(beside.shadow!.would_change).to.equal(would.effect !== alone.decision.effect);
      }),
    );
  });

  it('states the required approval and the largest amount that needs no approval', () => {
    const large = { field: 'amount_minor', op: 'gt', value: 500_000 };
    const rule = { ...ruleOf('large', 'require_approval', large), approval_graph_key: 'treasury' };
    const policies = [policyOf([ruleOf('all', 'allow'), rule], { scope: euro })];
    const decision = evaluatePolicies(policies, { currency: 'EUR', amount_minor: 600_000 });
    expect(decision.effect).to.equal('require_approval');
    expect(decision.obligations).to.deep.equal([{ approval_graph_key: 'treasury' }]);
    expect(decision.failed).to.deep.equal([]);
    expect(decision.approval_because).to.deep.equal([
      {
        policy_uid: 'pol_1',
        version: 1,
        rule_key: 'large',
        path: '/when',
        field: 'amount_minor',
        op: 'gt',
        expected: 500_000,
        must_hold: false,
        actual: 600_000,
        bound_minor: 500_000,
      },
    ]);
  });

  it('lists at most 100 failed atoms and states the number of omitted atoms', () => {
    const atoms = Array.from({ length: 150 }, (_, hour) => ({
      field: 'local_time.hour',
      op: 'eq',
      value: hour % 23,
    }));
    const { failed, atoms_omitted } = evaluatePolicies([policyOf([ruleOf('any', 'allow', { any: atoms })])], {
      'local_time.hour': 23,
    });
    expect([failed.length, atoms_omitted]).to.deep.equal([100, 50]);
  });
});
