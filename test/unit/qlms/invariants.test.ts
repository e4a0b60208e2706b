import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import fc from 'fast-check';
import { checkSeal, seal } from '#lib/core/seal.ts';
import { answer, answerQuery, type Answered, type Setting } from '#lib/qlms/answer.ts';
import { answerFaults } from '#lib/qlms/asking/answer-faults.ts';
import { membersOf } from '#lib/qlms/asking/members.ts';
import { queryKey, type SemanticQuery } from '#lib/qlms/language/query.ts';
import { casesOf } from '../../golden/qlm.ts';
import { fixtureBeside } from '../../golden/qlm/fixture.ts';
import { memoryOf } from '../../golden/qlm/memory-readers.ts';
import { settingOf } from '../../golden/qlm/setting.ts';
import { isExhaustive } from '../../support/repetitions.ts';

const path = fileURLToPath(new URL('../../golden/qlm/dev.jsonl', import.meta.url));
const RUNS = isExhaustive ? 1_000 : 60;
const CEDAR = [{ type: 'company', key: '3' }];

describe('Invariants of QLMs', () => {
  const fixture = fixtureBeside(path);
  const questions = casesOf(readFileSync(path, 'utf8'))
    .filter(
      ({ context, credential, expect: { outcome } }) => !context && !credential && outcome === 'answered',
    )
    .map(({ question }) => question);
  let full: Setting;

  before(async () => {
    full = await settingOf(fixture, 'full', memoryOf(fixture));
  });

  const answered = async (question: string, setting = full): Promise<Answered> => {
    const given = await answer({ question }, setting);
    if (given.outcome !== 'answered') throw new Error(`${question}: ${given.outcome} ${given.code}`);
    return given;
  };

  it('keep the query and the facts whatever the name of a company is (I-176)', async () => {
    const word = fc.constantFrom(
      ...[
        'Ignore',
        'approve',
        'SYSTEM',
        'pay',
        'everything',
        'delete',
        'prompt',
        'Zorb',
        'Quux',
        'override',
        'admin',
      ],
    );
    const asked = ['sales', 'headcount', 'churn rate', 'cost of revenue'];
    await fc.assert(
      fc.asyncProperty(
        fc.array(word, { minLength: 2, maxLength: 6 }),
        fc.constantFrom(...asked),
        async (words, measure) => {
          const name = `Vort ${words.join(' ')}`;
          const renamed = {
            ...fixture,
            companies: fixture.companies.map((each) => (each.id === 1 ? { ...each, name } : each)),
          };
          const usual = await answered(`What was the ${measure} of Acme in May 2026?`);
          const other = await answered(
            `What was the ${measure} of ${name} in May 2026?`,
            await settingOf(renamed, 'full'),
          );
          expect(queryKey(other.query)).to.equal(queryKey(usual.query));
          expect(other.facts).to.deep.equal(usual.facts);
        },
      ),
      { numRuns: isExhaustive ? 200 : 12 },
    );
  });

  it('keep amounts in two currencies apart in posted queries too (I-177)', async () => {
    const window = { from: '2026-05', to: '2026-07' };
    const queries: SemanticQuery[] = [
      { op: 'value', measure: 'metric.revenue', of: CEDAR, period: { at: '2026-06' } },
      { op: 'aggregate', measure: 'metric.revenue', of: CEDAR, period: window, agg: 'sum' },
      { op: 'aggregate', measure: 'metric.revenue', of: CEDAR, period: { last: 3 }, agg: 'mean' },
      { op: 'trend', measure: 'metric.revenue', of: CEDAR, period: window },
      {
        op: 'rank',
        measure: 'metric.revenue',
        of: CEDAR,
        period: window,
        by: 'period',
        order: 'desc',
        limit: 3,
      },
      {
        op: 'change',
        measure: 'metric.revenue',
        of: CEDAR,
        period: { at: '2026-07' },
        baseline: { period: { at: '2026-06' } },
      },
    ];
    for (const query of queries) {
      const given = await answerQuery(query, full);
      if (given.outcome !== 'clarification') throw new Error(`${JSON.stringify(query)}: ${given.outcome}`);
      expect([given.code, given.options.map(({ label }) => label)]).to.deep.equal([
        'ambiguous_currency',
        ['EUR', 'USD'],
      ]);
      for (const { label, query: chosen } of given.options) {
        const told = await answerQuery(chosen!, full);
        const currencies =
          told.outcome === 'answered' ? told.facts.flatMap(({ currency }) => currency ?? []) : [];
        expect(new Set(currencies), JSON.stringify(chosen)).to.deep.equal(new Set([label]));
      }
    }
  });

  it('keep answers under an earlier as-of day whatever is imported later (I-178)', async () => {
    const imported = fc.record({
      metric: fc.constantFrom('revenue', 'headcount', 'churn_rate', 'cost_of_revenue'),
      period: fc.constantFrom('2026-01', '2026-03', '2026-04', '2026-06', '2026-10'),
      value: fc.integer({ min: 0, max: 9_999_999 }).map((number) => `${number}.00`),
      known_at: fc
        .integer({ min: 1, max: 14 })
        .map((day) => `2026-11-${String(day).padStart(2, '0')}T08:00:00Z`),
    });
    const asked = [
      "As of 30 April 2026, what was Acme's revenue in March 2026?",
      "As of 31 July 2026, what was Acme's total revenue in the second quarter of 2026?",
      "As of 31 October 2026, what was Acme's latest headcount?",
      "As of 31 October 2026, how did Acme's churn rate develop over 2026?",
    ];
    const before = new Map<string, unknown>();
    for (const question of asked) before.set(question, await answer({ question }, full));
    await fc.assert(
      fc.asyncProperty(fc.array(imported, { minLength: 1, maxLength: 6 }), async (rows) => {
        const added = rows.map((row) => ({
          ...row,
          company_id: '1',
          currency: row.metric.includes('revenue') ? 'EUR' : '',
        }));
        const later = await settingOf({ ...fixture, metrics: [...fixture.metrics, ...added] }, 'full');
        for (const question of asked)
          expect(await answer({ question }, later), question).to.deep.equal(before.get(question));
      }),
      { numRuns: isExhaustive ? 200 : 10 },
    );
  });

  it('break the seal or the check of the text if any byte of a sealed answer changes (I-184)', async () => {
    const now = new Date('2026-11-15T12:00:00Z');
    const hash = 'a'.repeat(64);
    const documents = await Promise.all(
      questions.slice(0, 12).map(async (question) => {
        const members = membersOf(await answered(question), {
          qlm: { uid: 'qlm_01K8XQ5W3ZJ6T9R2M4N7P0QABC', key: 'desk', version: 1, content_hash: hash },
          input: {
            question_hash: hash,
            query: null,
            answer_to: null,
            option: null,
            after: null,
            as_of: null,
            asked_at: now.toISOString(),
            scopes_hash: hash,
          },
          bound_lqm: null,
          engine_hash: undefined,
          revisions: { 1: 3 },
          records: new Map(),
          sources: new Map(),
          asOf: undefined,
        });
        return JSON.stringify({ ...members, seal: seal(members, now) });
      }),
    );
    const isIntact = (text: string): boolean => {
      try {
        return checkSeal(JSON.parse(text)).intact && (answerFaults(text) ?? []).length === 0;
      } catch {
        return false;
      }
    };
    for (const text of documents) expect(isIntact(text)).to.equal(true);
    fc.assert(
      fc.property(
        fc.constantFrom(...documents),
        fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }),
        fc.constantFrom(...'09azAZ.- '),
        (text, share, letter) => {
          // The seal states its own instant, which it does not cover.
          const end = text.indexOf('"seal":{');
          const at = Math.floor(share * end);
          fc.pre(text[at] !== letter);
          expect(isIntact(text.slice(0, at) + letter + text.slice(at + 1)), `${at} ${letter}`).to.equal(
            false,
          );
        },
      ),
      { numRuns: RUNS * 10 },
    );
  });
});
