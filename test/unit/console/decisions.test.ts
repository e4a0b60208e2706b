import { expect } from 'chai';
import { acceptedProofs } from '#lib/access/console/proof.ts';
import { termsHash, type DelegationTerms } from '#lib/actions/delegations/terms.ts';
import { approvalGraph } from '#api/console/charts/approval-graph.ts';
import { bullet } from '#api/console/charts/bullet.ts';
import { ganttChart } from '#api/console/charts/gantt.ts';
import { barsOf } from '#api/console/runs/parts.ts';
import { statusOfRefusal } from '#api/console/decision.ts';
import { changedTerms, seenTerms } from '#api/console/delegations/terms.ts';
import { placeOfPage } from '#api/console/form.ts';
import { canonicalJson } from '#lib/core/seal.ts';

const terms: DelegationTerms = {
  identity_uid: 'idt_1',
  action: 'obligation.pay',
  counterparty_id: 1,
  connector: 'sepa_ct',
  currency: 'EUR',
  amount_scale: 2,
  execution_mode: 'supervised',
  risk_tier: 'T1',
  budgets: { per_action_minor: 100_050, per_day_minor: 200_000, per_month_minor: 300_000 },
  valid_from: null,
  valid_until: '2027-01-01T00:00:00.000Z',
  time_zone: 'UTC',
};

describe('decisions in the console', () => {
  it('need a passkey or a one-time code in production, and elsewhere from every person who has one', () => {
    const proofsOf = (environment: 'sandbox' | 'production', required: 'any' | 'passkey') =>
      [
        [false, false],
        [true, false],
        [false, true],
        [true, true],
      ].map(([hasCodes, hasPasskey]) => {
        const accepted = acceptedProofs({
          environment,
          required,
          hasCodes: hasCodes!,
          hasPasskey: hasPasskey!,
        });
        return (['passkey', 'code', 'session'] as const).filter((proof) => accepted[proof]).join(' or ');
      });
    const inSandbox = ['session', 'code', 'passkey', 'passkey or code'];
    expect(proofsOf('sandbox', 'any')).to.deep.equal(inSandbox);
    expect(proofsOf('sandbox', 'passkey')).to.deep.equal(inSandbox);
    expect(proofsOf('production', 'any')).to.deep.equal(['code', 'code', 'passkey', 'passkey or code']);
    expect(proofsOf('production', 'passkey')).to.deep.equal(Array.from({ length: 4 }, () => 'passkey'));
  });

  it('compare the terms that were shown with other terms, with amounts in major units', () => {
    expect(changedTerms(terms, terms)).to.deep.equal([]);
    const other = {
      ...terms,
      execution_mode: 'autonomous' as const,
      budgets: { ...terms.budgets, per_action_minor: 100_100 },
    };
    expect(changedTerms(terms, other)).to.deep.equal([
      { name: 'execution mode', before: 'supervised', after: 'autonomous' },
      { name: 'per action', before: '1,000.50 EUR', after: '1,001.00 EUR' },
    ]);
  });

  it('accept only terms whose hash the form names', () => {
    const form = { terms: canonicalJson(terms), terms_hash: termsHash(terms) };
    expect(seenTerms(form)).to.deep.equal(terms);
    for (const forged of [
      { ...form, terms_hash: '0'.repeat(64) },
      { ...form, terms: canonicalJson({ ...terms, currency: 'USD' }) },
      { ...form, terms: '{' },
      { ...form, terms: 'null' },
      { ...form, terms: ' '.repeat(5_000) },
      {},
    ])
      expect(seenTerms(forged), JSON.stringify(forged).slice(0, 80)).to.equal(undefined);
  });

  it('accept no other members or types than terms have, even with their hash', () => {
    for (const forged of [{}, 5, [terms], { ...terms, budgets: 1 }, { ...terms, amount_scale: 1e3 }]) {
      // The hash is computed as for valid terms, so only the members and the types are wrong.
      const form = { terms: canonicalJson(forged), terms_hash: termsHash(forged as DelegationTerms) };
      expect(seenTerms(form), form.terms.slice(0, 80)).to.equal(undefined);
    }
  });

  it('answer a refusal with the status of its problem', () => {
    expect(
      [
        'terms_changed',
        'code_invalid',
        'sod_same_person',
        'approval_node_not_open',
        'transition_not_allowed',
      ].map(statusOfRefusal),
    ).to.deep.equal([412, 403, 403, 409, 409]);
    expect(placeOfPage('/console/delegations/dlg_1/approve')).to.equal('/console/delegations/dlg_1');
  });
});

describe('charts of decisions', () => {
  it('draw every node of an approval graph with its votes, and escape names', () => {
    const drawn = approvalGraph(
      {
        nodes: [
          { name: 'desk', met: 1, quorum: 1, voters: ['A <b>'] },
          { name: 'risk', met: 0, quorum: 2, voters: [] },
        ],
        open: 2,
        end: 'activated',
      },
      'Approval graph',
    );
    expect(drawn).to.include('✓ A &lt;b&gt;').and.to.include('1 of 1').and.to.include('0 of 2');
    expect(drawn.match(/class="node-box (\w+)"/g)).to.deep.equal([
      'class="node-box met"',
      'class="node-box met"',
      'class="node-box open"',
      'class="node-box later"',
    ]);
  });

  it('keep bars within their track', () => {
    const widths = (drawn: string) =>
      [...drawn.matchAll(/width="([\d.]+)"/g)].slice(1).map(([, width]) => Number(width));
    expect(widths(bullet(0.25, 0.5, 100))).to.deep.equal([100, 25, 50]);
    expect(widths(bullet(0.8, 0.9, 100))).to.deep.equal([100, 80, 20]);
    expect(widths(bullet(2, 1, 100))).to.deep.equal([100, 100, 0]);
  });

  it('draw all steps on one axis, and no bar for a step that has not started', () => {
    const drawn = ganttChart(
      [
        { name: 'load', tone: 'done', from: 0, to: 5_000 },
        { name: 'approve', tone: 'person', from: 5_000, to: null },
        { name: 'report', tone: 'open', from: null, to: null },
      ],
      10_000,
      { width: 566 },
      'Steps',
    );
    const bars = [...drawn.matchAll(/class="step (\w+)" x="([\d.]+)" y="\d+" width="([\d.]+)"/g)].map(
      (each) => each.slice(1),
    );
    expect(bars).to.deep.equal([
      ['done', '150', '200'],
      ['person', '350', '200'],
    ]);
  });

  it('draw the waiting time of a part before its computing time, from when it was queued', () => {
    const part = { round: 1, first: 40_000, count: 10_000, worker: 'one 17' };
    const at = (seconds: number) => new Date(seconds * 1_000);
    const bars = barsOf([
      { ...part, queuedAt: at(0), startedAt: at(4), endedAt: at(10) },
      { ...part, first: 50_000, queuedAt: null, startedAt: null, endedAt: null, worker: null },
    ]);
    const drawn = ganttChart(bars, 10_000, { width: 566 }, 'Parts');
    const found = [...drawn.matchAll(/class="step (\w+)" x="([\d.]+)" y="\d+" width="([\d.]+)"/g)];
    expect(found.map((each) => each.slice(1))).to.deep.equal([
      ['wait', '150', '160'],
      ['done', '310', '240'],
    ]);
    expect(drawn).to.include('round 2, from 40,000').and.to.include('round 2, from 50,000');
  });
});
