import { expect } from 'chai';
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
  it('is shown if each number in the text occurs in the section', () => {
    for (const text of [
      'There are 1,250 open batches, and 4 exceptions to resolve.',
      'There are 1250 open batches. In the last 30 days 0 runs were sealed.',
      'Nothing but words.',
      'The balance is -75 minor units of EUR.',
    ]) {
      expect(groundedText(`  ${text}\n`, section), text).to.equal(text);
    }
  });

  it('is not shown if it is empty, too long, or contains another number, markup or a link', () => {
    for (const text of [
      'There are 1,251 open batches.',
      'There are 12.50 open batches.',
      'There are 4.0 exceptions.',
      'There are 40 exceptions.',
      'Of 1250 batches 99 % are fine.',
      'See https://example.com for 4 exceptions.',
      '<b>4</b> exceptions.',
      '[4 exceptions](x)',
      'Four \u202e exceptions.',
      '٤٢ exceptions.',
      '',
      'x'.repeat(601),
    ]) {
      expect(groundedText(text, section), text.slice(0, 40)).to.equal(undefined);
    }
  });

  it('is requested with only the figures and attention items of the section', () => {
    const { user } = wordingMessages(section);
    expect(JSON.parse(user)).to.deep.equal({
      domain: 'investment',
      status: 'ok',
      figures: [
        { key: 'order_batches_open', value: 1_250, unit: 'count' },
        { key: 'theme_factor_runs_sealed_30d', value: 0, unit: 'count' },
        { key: 'ledger_balance', value: -75, unit: 'minor', currency: 'EUR' },
      ],
      attention: [{ code: 'exceptions_to_resolve', severity: 'warning', count: 4 }],
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
