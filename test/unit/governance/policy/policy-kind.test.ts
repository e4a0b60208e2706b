import { expect } from 'chai';
import { decideGoverned, governedStates } from '#lib/governance/governed/states.ts';
import { schemaFaults, type GovernedKind } from '#lib/governance/governed/kind.ts';
import { policyFaults, policyKind, type PolicyBody } from '#lib/governance/policy/policy-kind.ts';
import { evaluatePolicies } from '../../../support/evaluate-policies.ts';
import { normalPolicy, policyHash, policySetHash } from '#lib/governance/policy/policy-hash.ts';
import { effectivePolicies, mayBeEnded } from '#lib/governance/policy/shadow.ts';
import { policyBody, policyOf, ruleOf } from '../../../support/policy.ts';

describe('the check of a policy with its test cases', () => {
  const kind = policyKind as unknown as GovernedKind;

  it('accepts a policy that passes its own test cases', () => {
    const body = policyBody();
    expect(schemaFaults(kind, body)).to.deep.equal([]);
    expect(policyFaults(body)).to.deep.equal([]);
  });

  it('rejects a policy with a failing test case and reports the difference', () => {
    const body = policyBody();
    body.cases[1]!.expect = { effect: 'allow', rules: ['small'] };
    expect(policyFaults(body)).to.deep.equal([
      {
        pointer: '/cases/1',
        code: 'case_failed',
        message: '"a large one needs approval" expects allow by small but gets require_approval by large',
      },
    ]);
  });

  it('rejects a policy if a test case has the expected result because of an error that the case does not expect', () => {
    const body = policyBody();
    body.cases.push({ name: 'no amount', input: { currency: 'EUR' }, expect: { effect: 'deny' } });
    expect(policyFaults(body).map(({ code }) => code)).to.deep.equal(['case_failed']);
    body.cases.at(-1)!.expect.errs = true;
    expect(policyFaults(body)).to.deep.equal([]);
  });

  it('rejects a test case with an unknown field and a policy without test cases', () => {
    const body = policyBody();
    body.cases[0]!.input['amount'] = 1;
    expect(policyFaults(body).map(({ pointer, code }) => [pointer, code])).to.deep.equal([
      ['/cases/0/input/amount', 'unknown_field'],
    ]);
    expect(schemaFaults(kind, { ...policyBody(), cases: [] }).map(({ pointer }) => pointer)).to.deep.equal([
      '/cases',
    ]);
  });

  it('adds empty lists for the omitted lists of the scope', () => {
    const body = { ...policyBody(), scope: { currencies: ['EUR'] } } as unknown as PolicyBody;
    expect(schemaFaults(kind, body)).to.deep.equal([]);
    expect(body.scope.actions).to.deep.equal([]);
  });

  it('reports only the faults of the definition, without test cases, if the definition is invalid', () => {
    const body = policyBody();
    body.rules[0]!.when = { field: 'amount_minor', op: 'lte', value: -1 };
    expect(policyFaults(body).map(({ pointer, code }) => [pointer, code])).to.deep.equal([
      ['/rules/0/when/value', 'value_type'],
    ]);
  });
});

describe('a policy that one person has suspended or wants to end', () => {
  const rules = [ruleOf('a', 'allow'), ruleOf('b', 'require_approval'), ruleOf('c', 'deny')];

  it('I-164 no longer allows actions while suspended, but still denies and requires approval', () => {
    const requested = effectivePolicies([{ policy: policyOf(rules), isSuspended: true }]);
    expect(requested[0]!.rules.map(({ key }) => key)).to.deep.equal(['b', 'c']);
    const other = policyOf([ruleOf('all', 'allow')], { uid: 'pol_2' });
    for (const [rule, effect] of [
      [rules[0]!, 'allow'],
      [rules[1]!, 'require_approval'],
      [rules[2]!, 'deny'],
    ] as const) {
      const suspended = effectivePolicies([
        { policy: policyOf([rule]), isSuspended: true },
        { policy: other, isSuspended: false },
      ]);
      expect(evaluatePolicies(suspended, {}).effect).to.equal(effect);
    }
  });

  it('is not evaluated while suspended if it is a shadow policy or has only allow rules', () => {
    const none = [policyOf(rules, { mode: 'shadow' }), policyOf([ruleOf('a', 'allow')])];
    expect(effectivePolicies(none.map((policy) => ({ policy, isSuspended: true })))).to.deep.equal([]);
  });

  it('I-164 can be ended by one person only if it is a shadow policy or has only allow rules', () => {
    for (const rule of rules) {
      expect(mayBeEnded(policyOf([rule])), rule.effect).to.equal(rule.effect === 'allow');
      expect(mayBeEnded(policyOf([rule], { mode: 'shadow' }))).to.equal(true);
    }
    for (const state of governedStates) {
      const facts = {
        state,
        draftedBy: 'per_1',
        submittedBy: 'per_1',
        submittedAt: null,
        now: new Date(0),
        parties: [],
      };
      const [free, held] = [false, true].map((restrains) =>
        decideGoverned({ ...facts, restrains }, 'end', 'per_3'),
      );
      if (free!.ok) expect(held).to.deep.equal({ ok: false, code: 'successor_required' });
      else expect(held).to.deep.equal(free);
    }
  });
});

describe('the hash of policies', () => {
  it('changes with every difference except the order of policies, rules and lists', () => {
    const rules = [ruleOf('a', 'allow'), ruleOf('b', 'deny')];
    const [one, two] = [policyOf(rules), policyOf(rules, { uid: 'pol_2' })];
    expect(policyHash(policyOf(rules.toReversed()))).to.equal(policyHash(one));
    expect(policySetHash([two, one])).to.equal(policySetHash([one, two]));
    const scope = (actions: string[]) => policyOf(rules, { scope: { ...one.scope, actions } });
    expect(policyHash(scope(['b', 'a']))).to.equal(policyHash(scope(['a', 'b'])));
    const others = [
      two,
      scope(['a']),
      policyOf(rules, { version: 2 }),
      policyOf(rules, { mode: 'shadow' }),
      policyOf([ruleOf('a', 'allow'), ruleOf('b', 'allow')]),
    ];
    expect(new Set([one, ...others].map(policyHash)).size).to.equal(others.length + 1);
    expect(policyHash(normalPolicy(one))).to.equal(policyHash(one));
  });
});
