import { expect } from 'chai';
import { createAjv } from '#lib/core/ajv.ts';
import { resolveStrategy } from '#lib/quant/strategies/resolve-strategy.ts';
import { strategyFamily } from '#lib/quant/strategies/strategy-family.ts';
import { faultsUnder } from '#lib/quant/strategies/strategy-fault.ts';
import { ResolvedStrategy, Strategy } from '#lib/quant/strategies/strategy.schema.ts';
import { resolved } from './strategy-fixture.ts';

const strategy: Strategy = {
  universe: { kind: 'list', symbols: ['A', 'B'] },
  signals: { m: { expression: 'return(adj_close, $lookback)' } },
  select: { by: 'm', top: { $: 'top' } },
  weight: { scheme: { $: 'scheme' } },
  parameters: { lookback: 10, top: 1, scheme: 'equal' },
};

/** Returns the pointers and codes of the faults of a strategy that differs in some members. */
function faultsOf(more: object, parameters: Record<string, number | string> = {}): string[] {
  const resolution = resolveStrategy({ ...strategy, ...more } as Strategy, parameters);
  return resolution.ok ? [] : resolution.faults.map(({ pointer, code }) => `${pointer} ${code}`);
}

/** The faults of a strategy without parameters. */
function faultsWith(more: object): string[] {
  const plain = {
    universe: { kind: 'list', symbols: ['A', 'B'] },
    signals: { m: { expression: 'return(adj_close, 1)' } },
    weight: { scheme: 'equal' },
  };
  const resolution = resolveStrategy({ ...plain, ...more } as Strategy);
  return resolution.ok ? [] : resolution.faults.map(({ pointer, code }) => `${pointer} ${code}`);
}

describe('the resolution of a strategy', () => {
  it('binds parameters as numbers, as words and in expressions', () => {
    const { signals, select, weight } = resolved(strategy);
    expect([signals['m']!.expression, select.top, weight.scheme]).to.deep.equal([
      'return(adj_close, 10)',
      1,
      'equal',
    ]);
  });

  it('prefers the given values of parameters to their defaults', () => {
    const resolution = resolveStrategy(strategy, { lookback: 5, scheme: 'rank' });
    if (!resolution.ok) throw new Error(JSON.stringify(resolution.faults));
    expect(resolution.strategy.signals['m']!.expression).to.equal('return(adj_close, 5)');
    expect(resolution.strategy.weight.scheme).to.equal('rank');
    expect(resolution.parameters).to.deep.equal({ lookback: 5, top: 1, scheme: 'rank' });
  });

  it('fills in every default, so that resolving again changes nothing', () => {
    const once = resolved({ universe: { kind: 'observed' }, weight: { scheme: 'equal' } });
    expect(createAjv().validate(ResolvedStrategy, once)).to.equal(true);
    expect(once.costs).to.deep.include({ proportional_bps: 10, borrow_bps: 50 });
    expect(once.schedule).to.deep.equal({ every: 'month', n: 21, on: 'last', lag: 1, band: 0 });
    expect(once.cash).to.deep.equal({ rate: 0, credit_max: 0, initial_minor: 100_000_000, currency: 'USD' });
    expect(resolved(once)).to.deep.equal(once);
  });

  it('does not change the strategy that it is given', () => {
    const given = structuredClone(strategy);
    resolved(given);
    expect(given).to.deep.equal(strategy);
  });

  it('refuses parameters without a value, without use, and without a declaration', () => {
    const { parameters, ...unbound } = strategy;
    expect(parameters).to.be.an('object');
    const resolution = resolveStrategy(unbound as Strategy);
    expect(
      resolution.ok ? [] : resolution.faults.map(({ pointer, code }) => `${pointer} ${code}`),
    ).to.deep.equal([
      '/signals/m/expression unbound_parameter',
      '/select/top unbound_parameter',
      '/weight/scheme unbound_parameter',
    ]);
    expect(faultsOf({ parameters: { ...strategy.parameters, idle: 1 } })).to.deep.equal([
      '/parameters/idle unused_parameter',
    ]);
    expect(faultsOf({}, { other: 1 })).to.deep.equal(['/parameters/other unknown_parameter']);
  });

  it('refuses a parameter value that is not valid for the member that uses the parameter', () => {
    expect(faultsOf({}, { top: 0 })).to.deep.equal(['/select/top minimum']);
    expect(faultsOf({}, { top: 1.5 })).to.deep.equal(['/select/top type']);
    expect(faultsOf({}, { scheme: 'quarks' })).to.deep.equal(['/weight/scheme enum']);
    expect(faultsOf({}, { lookback: -3 })).to.deep.equal(['/signals/m/expression expression']);
    expect(faultsOf({}, { lookback: 'lag' })).to.deep.equal(['/signals/m/expression expression']);
  });

  const refused: [about: string, more: object, faults: string[]][] = [
    ['an unknown member', { weights: {} }, ['/weights unknown_field']],
    ['a list without symbols', { universe: { kind: 'list' } }, ['/universe/symbols required']],
    [
      'symbols of another kind than a list',
      { universe: { kind: 'observed', symbols: ['A'] } },
      ['/universe/symbols unsupported'],
    ],
    ['a sector without a name', { universe: { kind: 'sector' } }, ['/universe/name required']],
    [
      'a condition with an unknown column',
      { universe: { kind: 'observed', where: 'price > 1' } },
      ['/universe/where expression'],
    ],
    ['a condition without a comparison', { select: { where: 'm' } }, ['/select/where expression']],
    ['an unknown ranking signal', { select: { by: 'x' } }, ['/select/by unknown_signal']],
    ['`top` without a ranking signal', { select: { top: 1 } }, ['/select/by required']],
    [
      'keep_until_rank below top',
      { select: { by: 'm', top: 2, keep_until_rank: 1 } },
      ['/select/keep_until_rank minimum'],
    ],
    ['a minimum above top', { select: { by: 'm', top: 1, minimum: 2 } }, ['/select/minimum maximum']],
    [
      'a signal that is a feature and an expression',
      { signals: { m: { feature: 'f', version: 1, expression: 'close' } } },
      ['/signals/m required'],
    ],
    ['a feature without a version', { signals: { m: { feature: 'f' } } }, ['/signals/m/version required']],
    [
      'a signal with a reserved name',
      { signals: { close: { expression: 'close' } } },
      ['/signals/close reserved'],
    ],
    [
      'an expression that looks back too far',
      { signals: { m: { expression: 'lag(close, 6000)' } } },
      ['/signals/m/expression expression'],
    ],
    ['fixed weights that are missing', { weight: { scheme: 'fixed' } }, ['/weight/fixed required']],
    [
      'a fixed weight of another symbol',
      { weight: { scheme: 'fixed', fixed: { Z: 1 } } },
      ['/weight/fixed unknown_symbol'],
    ],
    ['the scheme signal without a signal', { weight: { scheme: 'signal' } }, ['/weight/by required']],
    [
      'short positions of a scheme of risk',
      { select: { by: 'm' }, weight: { scheme: 'hrp', short: { bottom: 1 } } },
      ['/weight/short/bottom unsupported'],
    ],
    [
      'risk budgets that are all 0',
      { weight: { scheme: 'risk_budget', construct: { budget: { A: 0 } } } },
      ['/weight/construct/budget minimum'],
    ],
    ['a weekday of a month', { schedule: { on: 'monday' } }, ['/schedule/on unsupported']],
    [
      'leverage without credit',
      { overlay: { volatility_target: { annual: 0.1, leverage_max: 1.5 } } },
      ['/cash/credit_max required'],
    ],
    ['an unknown currency', { cash: { currency: 'XYZ' } }, ['/cash/currency unknown_currency']],
    ['a lag below 0', { schedule: { lag: -1 } }, ['/schedule/lag minimum']],
    ['a null member', { cash: null }, ['/cash type']],
  ];
  for (const [about, more, faults] of refused) {
    it(`refuses ${about}`, () => expect(faultsWith(more)).to.deep.equal(faults));
  }

  it('points to the member of the request that contains the fault', () => {
    const faults = [
      { pointer: '/select/top', code: 'minimum', message: 'm' },
      { pointer: '/parameters/x', code: 'unknown_parameter', message: 'm' },
    ];
    expect(faultsUnder('/strategy', faults).map(({ pointer }) => pointer)).to.deep.equal([
      '/strategy/select/top',
      '/parameters/x',
    ]);
    expect(faultsUnder('/strategy', faults, '/baseline')[1]!.pointer).to.equal('/baseline/x');
  });
});

describe('the family of a strategy', () => {
  const family = strategyFamily(strategy);

  it('is the same for other values of parameters and other numbers', () => {
    expect(strategyFamily({ ...strategy, parameters: { lookback: 20, top: 2, scheme: 'rank' } })).to.equal(
      family,
    );
    expect(strategyFamily({ ...strategy, costs: { proportional_bps: 3 } })).to.equal(family);
    const literal = { ...strategy, signals: { m: { expression: 'return(adj_close, 99)' } } };
    expect(strategyFamily({ ...literal, parameters: { top: 1, scheme: 'equal' } })).to.equal(family);
  });

  it('is the same for positive and negative parameters in an expression', () => {
    const select = { by: 'm', top: { $: 'top' }, where: 'm > $least' };
    const of = (least: number) =>
      strategyFamily({ ...strategy, select, parameters: { ...strategy.parameters, least } });
    expect(of(-0.1)).to.equal(of(0.1));
  });

  it('is the same with and without stated defaults, and for another name', () => {
    expect(strategyFamily({ ...strategy, name: 'Mine', frequency: 'daily', cash: {} })).to.equal(family);
  });

  it('differs for other symbols, expressions and schemes', () => {
    const others: Partial<Strategy>[] = [
      { universe: { kind: 'list', symbols: ['A', 'C'] } },
      { signals: { m: { expression: 'log_return(adj_close, $lookback)' } } },
      {
        weight: { scheme: 'equal', construct: { estimator: 'sample' } },
        parameters: { lookback: 1, top: 1 },
      },
    ];
    const families = others.map((other) => strategyFamily({ ...strategy, ...other }));
    expect(new Set([family, ...families]).size).to.equal(4);
  });

  it('depends only on the family name if the strategy states a family name', () => {
    const named = strategyFamily({ ...strategy, trial_family: 'mine' });
    const other = strategyFamily({
      universe: { kind: 'observed' },
      weight: { scheme: 'hrp' },
      trial_family: 'mine',
    });
    expect(named).to.equal(other).and.not.equal(family);
  });
});

describe('the published schema of a strategy', () => {
  const accepts = createAjv().compile(Strategy);

  it('accepts a parameter in place of any number or word, but not of a boolean', () => {
    expect(accepts(strategy), JSON.stringify(accepts.errors)).to.equal(true);
    const everywhere = {
      ...strategy,
      schedule: { every: { $: 'a' }, lag: { $: 'b' } },
      cash: { rate: { $: 'c' }, currency: { $: 'd' } },
      constraints: { group_max: { sector: { $: 'e' } }, turnover_max: { $: 'f' } },
      overlay: { stop: { drawdown: { $: 'g' } } },
    };
    expect(accepts(everywhere), JSON.stringify(accepts.errors)).to.equal(true);
    expect(accepts({ ...strategy, execution: { whole_shares: { $: 'a' } } })).to.equal(false);
  });

  it('requires only the universe and the weights', () => {
    expect(accepts({ universe: { kind: 'observed' }, weight: { scheme: 'equal' } })).to.equal(true);
    for (const missing of ['universe', 'weight'])
      expect(
        accepts({ universe: { kind: 'observed' }, weight: { scheme: 'equal' }, [missing]: undefined }),
      ).to.equal(false);
  });
});
