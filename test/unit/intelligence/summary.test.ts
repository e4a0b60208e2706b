import { expect } from 'chai';
import type { Attention, Facts, Metric } from '#lib/intelligence/section.ts';
import { sectionOf, summarize, type Reading } from '#lib/intelligence/summary.ts';

const NOW = new Date('2026-11-21T12:00:00Z');
const metric = (value: number | null, as_of: string | null): Metric => ({
  key: 'order_batches_open',
  value,
  unit: 'count',
  as_of,
});
const attention = (count: number, severity: Attention['severity'] = 'warning'): Attention => ({
  code: 'exceptions_to_resolve',
  severity,
  count,
  link: '/somewhere',
});
const of = (reading: Reading, staleAfterHours: number | null = 24) =>
  sectionOf({ key: 'investment', staleAfterHours }, reading, NOW);
const facts = (more: Partial<Facts> = {}): Facts => ({
  metrics: [metric(3, '2026-11-21T11:00:00.000Z'), metric(1, '2026-11-21T09:00:00.000Z')],
  attention: [],
  ...more,
});

describe('a section of the summary', () => {
  it('has the date of its newest figure', () => {
    const section = of(facts());
    expect(section).to.include({ status: 'ok', as_of: '2026-11-21T11:00:00.000Z' });
    expect(section.metrics.map(({ as_of }) => as_of)).to.deep.equal([
      '2026-11-21T11:00:00.000Z',
      '2026-11-21T09:00:00.000Z',
    ]);
  });

  it('is stale only if its newest record is older than its limit', () => {
    const old = facts({ metrics: [metric(3, '2026-11-20T11:59:59.999Z')] });
    expect(of(old).status).to.equal('stale');
    expect(of(old, null).status).to.equal('ok');
    expect(of(facts({ metrics: [metric(3, '2026-11-20T12:00:00.000Z')] })).status).to.equal('ok');
    expect(of(facts({ metrics: [metric(0, null)] }))).to.deep.include({
      status: 'ok',
      as_of: null,
      headline: { code: 'nothing_recorded', params: {} },
    });
  });

  it('is partial if its facts are marked as partial', () => {
    expect(of(facts({ isPartial: true })).status).to.equal('partial');
  });

  it('has no figures if it could not be read or the caller lacks the scopes', () => {
    for (const reading of ['unavailable', 'not_entitled'] as const) {
      const { status, metrics, attention: wanted, text, as_of } = of(reading);
      expect({ status, metrics, wanted, text, as_of }).to.deep.equal({
        status: reading,
        metrics: [],
        wanted: [],
        text: '',
        as_of: null,
      });
    }
  });

  it('counts in its headline only items with a severity above info', () => {
    const section = of(facts({ attention: [attention(2), attention(0), attention(5, 'info')] }));
    expect(section.headline).to.deep.equal({ code: 'attention_needed', params: { count: 2 } });
    expect(section.attention.map(({ count }) => count)).to.deep.equal([2, 5]);
    expect(of(facts({ attention: [attention(5, 'info')] })).headline.code).to.equal('nothing_to_attend_to');
  });

  it('states its facts as sentences, with "not known" for a value of null', () => {
    const amount: Metric = { key: 'ledger_balance', value: -5, unit: 'minor', currency: 'EUR', as_of: null };
    const { text } = of(facts({ metrics: [metric(3, null), metric(null, null), amount] }));
    expect(text).to.equal(
      'Order batches open: 3. Order batches open: not known. Ledger balance: -5 minor units of EUR.',
    );
  });

  it('changes the hash of the summary only if a fact changes', () => {
    const hashOf = (reading: Reading) => summarize([of(reading)]).summary_hash;
    expect(hashOf(facts())).to.equal(hashOf(facts()));
    expect(hashOf(facts({ attention: [attention(1)] }))).to.not.equal(hashOf(facts()));
  });
});
