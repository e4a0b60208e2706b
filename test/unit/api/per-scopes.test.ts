import { expect } from 'chai';
import { perScopes } from '#api/derive/per-scopes.ts';
import type { Tool } from '#api/derive/tool.ts';

describe('the cache of values per set of scopes', () => {
  const names = Array.from({ length: 20 }, (_, at) => `scope-${at}`);
  const tools = names.map((scope) => ({ scope })) as unknown as Tool[];
  let made: number;
  const counted = () => {
    made = 0;
    return perScopes(tools, (_tools, held) => ({ number: (made += 1), held: [...held] }));
  };

  it('creates one value for all callers that have the same scopes among the scopes of the tools', () => {
    const of = counted();
    const first = of(new Set(['scope-1', 'scope-2']));
    expect(of(new Set(['scope-2', 'scope-1', 'of no tool']))).to.equal(first);
    expect(of(new Set(['scope-1']))).to.not.equal(first);
    expect(made).to.equal(2);
  });

  it('keeps the values of recently used sets of scopes and drops the value of the least recently used set', () => {
    const of = counted();
    const [first, ...others] = names.map((name) => new Set([name]));
    const kept = of(first!);
    for (const each of others) {
      of(each);
      if (made < 18) expect(of(first!)).to.equal(kept);
    }
    const before = made;
    of(others[0]!);
    expect(made).to.equal(before + 1);
  });
});
