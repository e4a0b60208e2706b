import { expect } from 'chai';
import fc from 'fast-check';
import { sectionOf } from '#lib/intelligence/summary.ts';
import { factsHash, groundedText, isWorthWording, wordingMessages } from '#lib/intelligence/wording.ts';

const AT = '2026-11-21T11:00:00.000Z';
const section = sectionOf(
  { key: 'investment', staleAfterHours: null },
  {
    metrics: [
      { key: 'order_batches_open', value: 1_250, unit: 'count', as_of: AT },
      { key: 'theme_factor_runs_sealed_30d', value: 0, unit: 'count', as_of: null },
      { key: 'ledger_balance', value: -75, unit: 'minor', currency: 'EUR', as_of: AT },
    ],
    attention: [
      { code: 'exceptions_to_resolve', severity: 'warning', count: 4, link: '/actions/execution-exceptions' },
    ],
  },
  new Date(AT),
);

describe('the text that a language model writes for a section', () => {
  it('shows each figure with its sign and unit in its slot of the text', () => {
    expect(
      groundedText('  There are {f1} open batches,\nand {f4} exceptions to resolve. ', section),
    ).to.equal('There are 1250 open batches, and 4 exceptions to resolve.');
    expect(groundedText('The ledger balance is {f3}; exceptions to resolve: {f4}.', section)).to.equal(
      'The ledger balance is -75 minor units of EUR; exceptions to resolve: 4.',
    );
  });

  it('is not shown if it states a number, a sign or a comparison itself, or omits what needs attention', () => {
    for (const text of [
      'There are 4 exceptions.',
      'There are {f1} open batches.',
      'The balance is 75, with {f4} exceptions.',
      'The balance is -{f3}, with {f4} exceptions.',
      'The balance is ({f3}), with {f4} exceptions.',
      'The balance is .{f3} with {f4} exceptions.',
      'There are {f1} {f4} exceptions.',
      'There are {f1}{f4} exceptions.',
      'There are {f4} and again {f4} exceptions.',
      'There are {f4} million exceptions.',
      'There are seven batches and {f4} exceptions.',
      'There are not {f4} exceptions.',
      'There are more than {f4} exceptions.',
      'There are {f4} exceptions because of late prices.',
      'There are {f4} exceptions, the highest so far.',
      'There are {f4} exceptions, and {f9} batches.',
      'See https://example.com for {f4} exceptions.',
      '<b>{f4}</b> exceptions.',
      '[{f4} exceptions](x)',
      'There \u202e are {f4} exceptions.',
      'There are {f4} exceptions and ٤٢ batches.',
      'Nothing but words.',
      '',
      `There are {f4} exceptions${' and so'.repeat(100)}.`,
    ])
      expect(groundedText(text, section), text.slice(0, 50)).to.equal(undefined);
  });

  it('contains only numbers of the section, whatever a model answers', () => {
    const piece = fc.constantFrom(
      ...[
        '{f1}',
        '{f2}',
        '{f3}',
        '{f4}',
        '{f5}',
        'and',
        'the balance is',
        '-',
        '5',
        ' ',
        '.',
        ',',
        '(',
        ')',
        '{',
        '}',
        'x',
      ],
    );
    const displays = ['1250', '0', '-75 minor units of EUR', '4'];
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const text = groundedText(pieces.join(''), section);
        if (text === undefined) return;
        let rest = text;
        for (const display of displays) rest = rest.replace(display, '');
        expect(rest).to.not.match(/[\p{N}{}()-]/u);
      }),
    );
  });

  it('is requested with the names of figures, and without any value', () => {
    const { user } = wordingMessages(section);
    expect(JSON.parse(user)).to.deep.equal({
      domain: 'investment',
      status: 'ok',
      slots: [
        { slot: '{f1}', key: 'order_batches_open' },
        { slot: '{f2}', key: 'theme_factor_runs_sealed_30d' },
        { slot: '{f3}', key: 'ledger_balance' },
        { slot: '{f4}', key: 'exceptions_to_resolve', required: true },
      ],
    });
  });

  it('is not requested for a section without facts or for the section on AI usage', () => {
    expect(isWorthWording(section)).to.equal(true);
    expect(isWorthWording({ ...section, key: 'ai' })).to.equal(false);
    expect(isWorthWording({ ...section, status: 'unavailable' })).to.equal(false);
    expect(isWorthWording({ ...section, headline: { code: 'nothing_recorded', params: {} } })).to.equal(
      false,
    );
  });

  it('has a key that changes if a fact of the section changes', () => {
    const [first, ...others] = section.metrics;
    expect(factsHash(section)).to.equal(factsHash({ ...section }));
    expect(factsHash({ ...section, metrics: [{ ...first!, value: 1_251 }, ...others] })).to.not.equal(
      factsHash(section),
    );
  });
});
