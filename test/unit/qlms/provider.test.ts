import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import fc from 'fast-check';
import { answer, type Answered, type Setting } from '#lib/qlms/answer.ts';
import type { SemanticQuery } from '#lib/qlms/language/query.ts';
import { queryKey } from '#lib/qlms/language/query.ts';
import { judgeProposal, type Verdict } from '#lib/qlms/provider/acceptance.ts';
import { maskNames, proposable, unmasked } from '#lib/qlms/provider/masking.ts';
import { offeredSlots, wordedAnswer } from '#lib/qlms/provider/wording.ts';
import { textFaults } from '#lib/qlms/wording/grounding.ts';
import { casesOf } from '../../golden/qlm.ts';
import { fixtureBeside } from '../../golden/qlm/fixture.ts';
import { memoryOf } from '../../golden/qlm/memory-readers.ts';
import { settingOf } from '../../golden/qlm/setting.ts';

const path = fileURLToPath(new URL('../../golden/qlm/dev.jsonl', import.meta.url));

describe('Providers of QLMs', () => {
  const fixture = fixtureBeside(path);
  const cases = casesOf(readFileSync(path, 'utf8')).filter(
    ({ context, credential }) => !context && !credential,
  );
  const answerable = cases.filter(({ expect: { outcome, query } }) => outcome === 'answered' && query);
  let full: Setting;

  before(async () => {
    full = await settingOf(fixture, 'full', memoryOf(fixture));
  });

  const judged = (question: string, query: SemanticQuery, end?: number): Verdict => {
    const { today } = full.clock;
    const masked = maskNames(question, full.catalogue, today);
    const spans = [{ from: 0, to: end ?? masked.text.length, slot: 'question' }];
    return judgeProposal({ query, spans }, { question, masked, catalogue: full.catalogue, today });
  };

  it('receive placeholders instead of the names of records', () => {
    const question = "What was Acme's cost of revenue, and what do we owe Nordwind Logistik?";
    const masked = maskNames(question, full.catalogue, full.clock.today);
    expect(masked.text).to.equal('What was <e1> cost of revenue, and what do we owe <e2>?');
    const at = masked.text.indexOf('<e2>');
    const { from, to } = unmasked(masked, { from: at, to: at + 4 });
    expect(question.slice(from, to)).to.equal('Nordwind Logistik');
    const cost = masked.text.indexOf('cost of revenue');
    const own = unmasked(masked, { from: cost, to: cost + 15 });
    expect(question.slice(own.from, own.to)).to.equal('cost of revenue');
  });

  it('never receive a name of the fixture', () => {
    const names = [...fixture.companies, ...fixture.counterparties].map(({ name }) => name.split(' ')[0]!);
    for (const { question } of cases) {
      const { text } = maskNames(question, full.catalogue, full.clock.today);
      for (const name of names.filter((each) => !/^(Ignore|Sample)$/.test(each)))
        expect(text, question).to.not.include(name);
    }
    expect(proposable(full.catalogue).length).to.be.within(10, 400);
  });

  it('may propose the query that the lexicon of Assay finds', () => {
    const licensed = answerable.filter(
      ({ question, expect: { query } }) => judged(question, query!).kind === 'licensed',
    );
    expect(licensed.length / answerable.length).to.be.above(0.6);
  });

  it('may not propose the query of another question (I-181)', () => {
    const pairs = fc.tuple(fc.constantFrom(...cases), fc.constantFrom(...answerable));
    fc.assert(
      fc.property(pairs, ([one, other]) => {
        const { outcome, query } = one.expect;
        const isSame = outcome === 'answered' && query && queryKey(query) === queryKey(other.expect.query!);
        if (!isSame) expect(judged(one.question, other.expect.query!).kind).to.not.equal('licensed');
      }),
      { numRuns: 300 },
    );
  });

  it('may not drop a word, change a number or change the measure', () => {
    const base: SemanticQuery = { op: 'value', measure: 'economics.VIXCLS', period: { at: '2020-03' } };
    expect(judged('What was the VIX in March 2020?', base).kind).to.equal('licensed');
    const refused: [string, SemanticQuery, number?][] = [
      ['What was the average VIX in March 2020?', base],
      ['What was the VIX in April 2020?', base],
      ['What was the VIX in March 2020?', { ...base, as_of: '2020-05-01' }],
      ['What was the VIX in March 2020?', { ...base, agg: 'max' }],
      ['What is the VIX now?', { ...base, period: { at: 'latest' } }],
      ['What was the VIX in March 2020?', base, 12],
      ['What was the VIX in March 2020?', { ...base, measure: 'economics.GDPC1', period: { at: '2020-Q1' } }],
    ];
    for (const [question, query, end] of refused)
      expect(judged(question, query, end).kind, `${question} ${queryKey(query)}`).to.equal('rejected');
  });

  it('may give a new word a meaning only as an option that a person chooses', () => {
    const query: SemanticQuery = { op: 'value', measure: 'economics.VIXCLS', period: { at: '2020-03' } };
    const verdict = judged('What was the fearometer in March 2020?', query);
    expect(verdict.kind).to.equal('option');
    expect(verdict.kind === 'option' && verdict.spans).to.deep.equal([{ from: 13, to: 23 }]);
  });

  it('may word an answer only with slots; otherwise the template is shown (I-181)', async () => {
    const given = (await answer(
      { question: 'How many basis points did the 10-year yield rise between July 2020 and July 2023?' },
      full,
    )) as Answered;
    const { facts } = given;
    const offered = JSON.stringify(offeredSlots(facts, { query: given.query, names: given.names! }));
    expect(offered).to.not.match(/3\.28|328|Treasury|2020|2023/);
    const worded = wordedAnswer(
      'The {m1} moved by {f3} basis points, from {f2} in {p2} to {f1} in {p1}.',
      given,
    );
    expect(worded?.text).to.equal(
      'The 10-year Treasury constant maturity yield moved by 328.00 basis points, from 0.62 in July 2020 to 3.9 in July 2023.',
    );
    expect(textFaults(worded!)).to.deep.equal([]);
    const piece = fc.constantFrom(
      '{f1}',
      '{f2}',
      '{f3}',
      '{f4}',
      '{d1}',
      '{m1}',
      '{p2}',
      '{s1}',
      '-',
      '7',
      'seven',
      'not',
      ' ',
      'the',
      '.',
      '{',
      '<b>',
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(piece, { maxLength: 10 }).map((each) => each.join(' ')),
        ),
        (output) => {
          const shown = wordedAnswer(output, given);
          if (shown === undefined) return;
          expect(textFaults(shown)).to.deep.equal([]);
          expect(shown.slots.filter(({ fact }) => fact === 'f3')).to.have.length(1);
          expect(shown.facts).to.deep.equal(given.facts);
        },
      ),
    );
  });
});
