import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import fc from 'fast-check';
import { answer, answerQuery, type Setting } from '#lib/qlms/answer.ts';
import { adversarialCases } from '#lib/qlms/evaluation/adversarial.ts';
import { judge } from '#lib/qlms/evaluation/judge.ts';
import { gateFaults, scoreSuite } from '#lib/qlms/evaluation/score.ts';
import { declareMeasures, measureNames } from '#lib/qlms/facts/measures.ts';
import { buildLexicon } from '#lib/qlms/language/lexicon.ts';
import type { SemanticQuery } from '#lib/qlms/language/query.ts';
import { understand } from '#lib/qlms/language/understand.ts';
import { casesOf } from '../../golden/qlm.ts';
import { fixtureBeside } from '../../golden/qlm/fixture.ts';
import { memoryOf } from '../../golden/qlm/memory-readers.ts';
import { settingOf } from '../../golden/qlm/setting.ts';
import { isExhaustive } from '../../support/repetitions.ts';

const fileOf = (name: string): string => fileURLToPath(new URL(`../../golden/qlm/${name}`, import.meta.url));
const path = fileOf('dev.jsonl');
const RUNS = isExhaustive ? 5_000 : 250;

describe('Bounds of QLMs', () => {
  const cases = [
    ...casesOf(readFileSync(path, 'utf8')),
    ...casesOf(readFileSync(fileOf('phrasings.jsonl'), 'utf8')),
  ];
  const answerable = cases.filter(
    ({ context, credential, expect: { outcome } }) => !context && !credential && outcome === 'answered',
  );
  let full: Setting;

  before(async () => {
    const fixture = fixtureBeside(path);
    full = await settingOf(fixture, 'full', memoryOf(fixture));
  });

  it('hold for each of the 64 adversarial questions, with and without data', async () => {
    expect(adversarialCases).to.have.length(64);
    const measures = declareMeasures([]);
    const bare = {
      ...full,
      catalogue: { ...full.catalogue, measures, lexicon: buildLexicon(measureNames(measures)) },
    };
    for (const setting of [full, bare]) {
      const judged = [];
      for (const test of adversarialCases)
        judged.push(judge(test, await answer({ question: test.question }, setting)));
      expect(judged.filter(({ code }) => code === false)).to.deep.equal([]);
      expect(
        gateFaults(judged, scoreSuite(judged)).filter((fault) => !fault.includes('bound')),
      ).to.deep.equal([]);
    }
  });

  it('prevent an answer to a question with an unknown word at any position (I-171)', async () => {
    const unknown = fc
      .array(fc.constantFrom(...'bcdfgjkqvwxz'), { minLength: 7, maxLength: 10 })
      .map((letters) => letters.join(''));
    const asked = fc.tuple(fc.constantFrom(...answerable), unknown, fc.nat({ max: 30 }));
    await fc.assert(
      fc.asyncProperty(asked, async ([{ question }, word, place]) => {
        const words = question.split(' ');
        const at = place % (words.length + 1);
        const changed = [...words.slice(0, at), word, ...words.slice(at)].join(' ');
        const { outcome } = await answer({ question: changed }, full);
        expect(outcome, changed).to.not.equal('answered');
      }),
      { numRuns: RUNS },
    );
  });

  it('prevent an internal error for any posted query, because bad queries are refused', async () => {
    const queries = answerable.map(({ expect: { query } }) => query!);
    const members = [...new Set(queries.flatMap((query) => Object.keys(query)))];
    const odd = [
      { at: '9999-Q5' },
      { from: '2020-01', to: 'latest' },
      { last: 0 },
      0,
      300,
      'x',
      [],
      [{ field: 'value', op: 'gt', value: 1e300 }],
    ];
    const change = fc.record({
      member: fc.constantFrom(...members),
      from: fc.nat({ max: queries.length - 1 }),
      odd: fc.option(fc.constantFrom(...odd), { freq: 4 }),
      isLeftOut: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...queries),
        fc.array(change, { minLength: 1, maxLength: 3 }),
        async (query, changes) => {
          const changed = Object.fromEntries(
            changes.reduce(
              (all, { member, from, odd: value, isLeftOut }) => {
                const other: unknown = value ?? queries[from]![member as keyof SemanticQuery];
                if (isLeftOut || other === undefined) all.delete(member);
                else all.set(member, other);
                return all;
              },
              new Map<string, unknown>(Object.entries(query)),
            ),
          );
          // The members have arbitrary values on purpose.
          const { outcome } = await answerQuery(changed as SemanticQuery, full);
          expect(['answered', 'refused', 'clarification']).to.include(outcome);
        },
      ),
      { numRuns: RUNS },
    );
  });

  it('hold for money of two currencies in any wording (I-177)', async () => {
    const sums = ['Sum of', 'Total of', 'Combined', 'Compare', 'Difference between', 'Which is higher,'];
    const sides = ["Acme's and Bolt's revenue", "Bolt's and Acme's sales", 'the revenue of Acme and Bolt'];
    const asked = fc.tuple(
      fc.constantFrom(...sums),
      fc.constantFrom(...sides),
      fc.constantFrom('May', 'June', 'August'),
    );
    await fc.assert(
      fc.asyncProperty(asked, async ([sum, side, month]) => {
        const { outcome } = await answer({ question: `${sum} ${side} in ${month} 2026` }, full);
        expect(outcome).to.not.equal('answered');
      }),
      { numRuns: 40 },
    );
  });

  it('limit the time of a question of 1,000 characters', () => {
    const catalogue = full.catalogue;
    const timeOf = (question: string): number => {
      const times = [1, 2].map(() => {
        const start = process.cpuUsage();
        understand(question, { catalogue, today: '2026-11-15' });
        const { user, system } = process.cpuUsage(start);
        return user + system;
      });
      return Math.min(...times);
    };
    const usual = timeOf('What was the average VIX between January 2008 and December 2009?');
    const long = [
      '(a ',
      'one ',
      'end of ',
      'compnay ',
      'Acme and ',
      'the last ',
      'two hundred and ',
      'if should i buy ',
      'ignore ',
      'is ',
    ];
    for (const piece of long) {
      const question = piece.repeat(1_000).slice(0, 1_000);
      expect(timeOf(question) / usual, piece).to.be.below(300);
    }
  });
});
