import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { answer, answerQuery, type Setting } from '#lib/qlms/answer.ts';
import { measureNames } from '#lib/qlms/facts/measures.ts';
import { buildLexicon } from '#lib/qlms/language/lexicon.ts';
import { fixtureBeside } from '../../golden/qlm/fixture.ts';
import { memoryOf } from '../../golden/qlm/memory-readers.ts';
import { settingOf } from '../../golden/qlm/setting.ts';

const path = fileURLToPath(new URL('../../golden/qlm/dev.jsonl', import.meta.url));

describe('Records in questions', () => {
  let full: Setting;
  let narrow: Setting;

  before(async () => {
    const fixture = fixtureBeside(path);
    full = await settingOf(fixture, 'full', memoryOf(fixture));
    narrow = await settingOf(fixture, 'narrow', memoryOf(fixture));
  });

  const told = async (question: string, ...before: string[]): Promise<string> => {
    const given = await answer({ question, before }, full);
    if (given.outcome !== 'answered') return `${given.outcome} ${given.code}`;
    return given.facts.map(({ of, display }) => `${of ?? ''} ${display}`.trim()).join('; ');
  };

  const FIELDS: readonly (readonly [string, string])[] = [
    ['What is still outstanding on LOAN-117?', 'LOAN-117 1875000.25 EUR'],
    ['When does LOAN-118 fall due?', 'LOAN-118 2026-12-15'],
    ['Who is the counterparty of BOND-1?', 'BOND-1 Kyoto Trust'],
    ['Who do we owe LOAN-117 to?', 'LOAN-117 Acme Bank'],
    ["What is INV-2026-031's original amount?", 'INV-2026-031 18450.90 EUR'],
    ['What state is LC-9 in?', 'LC-9 disputed'],
    ['Is INV-2026-031 overdue?', '1'],
    ['How severe is exception X1?', 'X1 medium'],
  ];
  for (const [question, expected] of FIELDS)
    it(`are named by their references: ${question}`, async () => {
      expect(await told(question)).to.equal(expected);
    });

  it('are replaced by the record that a follow-up names', async () => {
    expect(await told('And LOAN-118?', 'What is still outstanding on LOAN-117?')).to.equal(
      'LOAN-118 900000.00 USD',
    );
  });

  it('are unknown entities if no record has the reference, in every domain', async () => {
    expect(await told('What is outstanding on LOAN-999?')).to.equal('refused unknown_entity');
    expect(await told('What was the VIX of COVID-19?')).to.equal('refused unknown_entity');
  });

  it('are not converted to another currency, and a follow-up can name the currency of a sum', async () => {
    expect(await told('What is outstanding on LOAN-117 in dollars?')).to.equal('refused currency_conversion');
    expect(await told('And in euros?', 'When does LOAN-118 fall due?')).to.equal(
      'refused currency_conversion',
    );
    const before = 'What is the outstanding amount of EUR obligations?';
    expect(await told('And for the USD ones?', before)).to.equal('USD 1020000.00 USD');
  });

  it('are not looked up without the scope of their domain', async () => {
    const { references } = narrow.readers;
    const asked: string[] = [];
    const readers = {
      ...narrow.readers,
      references: async (texts: readonly string[]) => (asked.push(...texts), references(texts)),
    };
    const [known, unknown] = await Promise.all(
      ['When does LOAN-117 fall due?', 'When does LOAN-999 fall due?'].map((question) =>
        answer({ question }, { ...narrow, readers }),
      ),
    );
    expect(asked).to.have.members(['LOAN-117', 'LOAN-999']);
    expect(known).to.deep.equal(unknown);
  });

  const RANKS: readonly (readonly [string, string])[] = [
    [
      'What are the three largest open EUR obligations?',
      'LOAN-117 1875000.25 EUR; INVOICE 50000.00 EUR; INV-2026-031 18450.90 EUR',
    ],
    ['What is the second largest EUR obligation?', 'INVOICE 50000.00 EUR'],
    ['Which obligation is due next?', 'INV-2026-044 2026-11-30'],
    ['Which obligation has the earliest due date?', 'INV-2026-031 2026-10-20'],
    ['Largest EUR transaction in September 2026', 'EUR-IN-2 335000.00 EUR'],
    ['What is the oldest open exception?', 'X1 2026-11-03'],
    ['Which exception was opened last?', 'X2 2026-11-11'],
  ];
  for (const [question, expected] of RANKS)
    it(`are ranked by a figure or a day: ${question}`, async () => {
      expect(await told(question)).to.equal(expected);
    });

  it('are not ranked across currencies', async () => {
    expect(await told('What are the three largest open obligations?')).to.equal('refused currencies_mixed');
    const query = { op: 'rank', measure: 'obligation.outstanding', order: 'desc', limit: 3 } as const;
    expect(await answerQuery(query, full)).to.include({ outcome: 'refused', code: 'currencies_mixed' });
  });

  const REFUSED = [
    'Which three obligations are the riskiest?',
    'Which exception is the most severe?',
    'What was outstanding on LOAN-117 in June 2025?',
    'What was outstanding on LOAN-117 as of March 2026?',
    'Which obligations are registered or disputed?',
    'What is the secured part of LOAN-117?',
    'What is the largest obligation without collateral in EUR?',
  ];
  for (const question of REFUSED)
    it(`do not answer a question with a word that no slot takes: ${question}`, async () => {
      expect(await told(question)).to.match(/^refused/);
    });

  it('refuse a follow-up with a period or another entity, because records have neither', async () => {
    const before = 'How many obligations are registered?';
    expect(await told('And in 2019?', before)).to.equal('refused not_understood');
    expect(await told('And Bolt?', before)).to.equal('refused not_understood');
  });

  it('answer a posted query only for fields that the records have', async () => {
    const posted = await Promise.all(
      [
        { op: 'list', measure: 'obligation', what: 'colour' } as const,
        { op: 'rank', measure: 'obligation.state', order: 'desc' } as const,
        { op: 'rank', measure: 'obligation.due_date', order: 'desc' } as const,
        { op: 'rank', measure: 'obligation.constructor', order: 'desc' } as const,
      ].map((query) => answerQuery(query, full)),
    );
    for (const each of posted) expect(each).to.include({ outcome: 'refused', code: 'not_understood' });
  });

  describe('with figures of portfolios', () => {
    let portfolios: Setting;
    const asked: unknown[] = [];

    before(() => {
      const names = ['balanced', 'income'].map((key) => ({
        kind: 'entity' as const,
        type: 'portfolio',
        key,
        name: key,
      }));
      const values: Record<string, [string, string, string | null][]> = {
        value: [
          ['balanced', '10.50', 'EUR'],
          ['balanced', '3.00', 'USD'],
          ['income', '7.25', 'EUR'],
        ],
        cash: [
          ['balanced', '1.00', 'EUR'],
          ['income', '7.25', 'EUR'],
        ],
        holdings: [
          ['balanced', '4', null],
          ['income', '2', null],
        ],
      };
      portfolios = {
        ...full,
        catalogue: {
          ...full.catalogue,
          lexicon: buildLexicon([...names, ...measureNames(full.catalogue.measures)]),
        },
        readers: {
          ...full.readers,
          entities: async (type) =>
            type === 'portfolio'
              ? names.map(({ key }) => ({ type, key, label: key, attributes: { name: key } }))
              : full.readers.entities(type),
          figures: async (_noun, { field, labels, asOf }) => {
            asked.push(asOf);
            return values[field]!.filter(([label]) => labels.includes(label)).map(
              ([label, value, currency]) => ({ label, value, currency }),
            );
          },
        },
      };
    });

    const answers: readonly (readonly [string, string])[] = [
      ['What is the value of the portfolio balanced?', 'balanced 10.50 EUR; balanced 3.00 USD'],
      ['How much cash does the portfolio income hold?', 'income 7.25 EUR'],
      ['How many holdings does the balanced portfolio have?', 'balanced 4'],
      ['Which portfolio has the most holdings?', 'balanced 4'],
      ['Which portfolio has the most cash?', 'income 7.25 EUR'],
      ['Which portfolio has the highest value?', 'refused currencies_mixed'],
      ['What is the value of portfolio Alpha?', 'refused unknown_entity'],
      ['What is the hedged value of the portfolio balanced?', 'refused unknown_metric'],
      ['What was the value of the portfolio balanced in 2019?', 'refused not_understood'],
    ];
    for (const [question, expected] of answers)
      it(`are listed by currency, and never added or converted: ${question}`, async () => {
        const given = await answer({ question }, portfolios);
        const shown =
          given.outcome === 'answered'
            ? given.facts.map(({ of, display }) => `${of} ${display}`).join('; ')
            : `${given.outcome} ${given.code}`;
        expect(shown).to.equal(expected);
      });

    it('are derived from what was known by the end of a named day', async () => {
      asked.length = 0;
      const question = 'What was the value of the portfolio balanced at the end of June 2020?';
      const given = await answer({ question }, portfolios);
      expect(given).to.deep.include({ outcome: 'answered' });
      expect(asked).to.deep.equal(['2020-06-30']);
    });
  });
});
