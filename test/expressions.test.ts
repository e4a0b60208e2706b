import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { catalog } from '#api/catalog.ts';
import { expressionsOf, patternsOf, slowOn } from './architecture/expressions.ts';
import { readSources } from './architecture/source.ts';

/** Expressions that take more than linear time on some text, and the reason that such a text cannot occur. */
const allowed: Readonly<Record<string, string>> = {
  '/<link href="https?:[^>]*>/g': 'reads a page of the dashboard itself',
  '/^(?:\\.{3}|\\*+|X{3,})([A-Za-z0-9-]{4,})$/': 'the schema allows 64 characters',
  '/\\/+$/': 'reads the address that a program gives to its own client',
  '/lock file .* already exists|shared memory block/': 'reads what our own PostgreSQL says',
  '/("[^"\\\\]*(?:\\\\.[^"\\\\]*)*")|[ \\t\\r\\n]+/g': 'reads well-formed JSON, in which every string ends',
};

describe('Regular expressions', () => {
  const verifier = 'lib/trust/verify-pack.mjs';
  const sources = [
    ...readSources(['api', 'lib', 'workers']),
    { path: verifier, text: readFileSync(new URL(`../${verifier}`, import.meta.url), 'utf8') },
  ];

  const expectQuick = (expressions: ReturnType<typeof expressionsOf>) => {
    const slow = expressions
      .filter(({ expression }) => !Object.hasOwn(allowed, String(expression)))
      .flatMap(({ expression, at }) => {
        const attack = slowOn(expression);
        return attack === undefined ? [] : [`${at.join(', ')}: ${expression} on ${JSON.stringify(attack)}`];
      });
    expect(slow).to.deep.equal([]);
  };

  it('in the code take linear time on every text', () => {
    const expressions = expressionsOf(sources);
    expect(expressions.length).to.be.greaterThan(100);
    expectQuick(expressions);
  });

  it('in schemas take linear time on every text', () => {
    const patterns = patternsOf(
      catalog.flatMap(({ key, body, query }) => [
        { at: `${key}, body`, schema: body },
        { at: `${key}, query`, schema: query },
      ]),
    );
    expect(patterns.length).to.be.greaterThan(20);
    expectQuick(patterns);
  });

  it('are reported if they take more than linear time on some text', () => {
    for (const slow of [/(?:[^",]|"(?:\\.|[^"\\])*")+/g, /0+$/, /^(a+)+$/, /^(\w|\d)+!$/, /\s*,\s*,?\s*$/]) {
      expect(slowOn(slow), String(slow)).not.to.equal(undefined);
    }
    for (const quick of [/^0+/, /^[a-z]{1,64}$/, /a|b/g])
      expect(slowOn(quick), String(quick)).to.equal(undefined);
  });
});
