import { expect } from 'chai';
import fc from 'fast-check';
import { nameKeys } from '#lib/qlms/language/tokens.ts';

/** Parts of names, some of which begin a period or have marks inside. */
const part = fc.constantFrom(
  ...['Atlas', 'Johnson', '&', 'Inc.', 'Co.,', 'PLC,', 'J.', 'Q1', 'h2', '2024', '17', 'ABC123', 'A1', '3M'],
  ...["Lowe's", 'Coca-Cola', 'ai_compute', 'Münch', 'U.S.', 'at&t', '1,000', '12/2020'],
);

describe('the words by which a name is found', () => {
  it('are the same whether the name is split at its spaces or read as a text', () => {
    fc.assert(
      fc.property(fc.array(part, { minLength: 1, maxLength: 6 }), (parts) => {
        const name = parts.join(' ');
        // The exclamation mark is not a word, and a name with it is not split at its spaces.
        expect(nameKeys(name), name).to.deep.equal(nameKeys(`${name} !`));
      }),
      { numRuns: 2_000 },
    );
  });

  it('have no marks, and the sign & is the word "and"', () => {
    expect(nameKeys('Smith & Sons, Inc.')).to.deep.equal(['smith', 'and', 'sons', 'inc']);
    expect(nameKeys('Route 66 Corp.')).to.deep.equal(['route', '66', 'corp']);
  });
});
