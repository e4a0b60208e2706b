import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import fc from 'fast-check';
import { addDays, lastDayOfMonth, monthOf } from '#lib/core/date.ts';
import { answer, answerQuery, type Answered, type Setting } from '#lib/qlms/answer.ts';
import { daysAhead, daysBack, stretchAround, type Grain } from '#lib/qlms/language/calendar.ts';
import { dayWords, periodWords } from '#lib/qlms/wording/period-words.ts';
import { casesOf } from '../../golden/qlm.ts';
import { fixtureBeside } from '../../golden/qlm/fixture.ts';
import { memoryOf } from '../../golden/qlm/memory-readers.ts';
import { settingOf } from '../../golden/qlm/setting.ts';
import { isExhaustive } from '../../support/repetitions.ts';

const pathOf = (name: string): string => fileURLToPath(new URL(`../../golden/qlm/${name}`, import.meta.url));
const WORDS =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty'.split(
    ' ',
  );
const numRuns = isExhaustive ? 400 : 40;
const anchors = fc.integer({ min: 0, max: 1460 }).map((days) => addDays('2024-01-01', days));
const counts = fc.integer({ min: 1, max: 20 });
const grains = fc.constantFrom<Grain>('day', 'week', 'month', 'quarter', 'year');

/** "3 weeks" or "three weeks". */
const counted = (count: number, grain: Grain, isWord: boolean): string =>
  `${isWord ? WORDS[count]! : count} ${grain}${count === 1 ? '' : 's'}`;

describe('Relative periods of questions', () => {
  let full: Setting;

  before(async () => {
    const fixture = fixtureBeside(pathOf('dev.jsonl'));
    full = await settingOf(fixture, 'full', memoryOf(fixture));
  });

  const asked = async (question: string, today: string): Promise<Answered> => {
    const given = await answer({ question }, { ...full, clock: { ...full.clock, today } });
    if (given.outcome !== 'answered') throw new Error(`${question} on ${today}: ${JSON.stringify(given)}`);
    return given;
  };
  const same = (one: Answered, other: Answered): void => {
    expect(one.query).to.deep.equal(other.query);
    expect(one.facts).to.deep.equal(other.facts);
    expect(one.text).to.equal(other.text);
  };

  it('of what is due are equal to the question with the days, in digits and in words', async () => {
    await fc.assert(
      fc.asyncProperty(anchors, counts, grains, fc.boolean(), async (today, count, grain, isAhead) => {
        const { from, to } = isAhead ? daysAhead(today, { count, grain }) : daysBack(today, { count, grain });
        expect(isAhead ? from : to).to.equal(today);
        const explicit = await asked(
          `Which obligations are due from ${dayWords(from)} to ${dayWords(to)}?`,
          today,
        );
        for (const isWord of [false, true]) {
          const span = `${isAhead ? 'next' : 'last'} ${counted(count, grain, isWord)}`;
          const relative = await asked(`Which obligations are due in the ${span}?`, today);
          same(relative, explicit);
          expect(relative.assumptions).to.deep.equal(['days_from_today']);
        }
      }),
      { numRuns },
    );
  });

  it('count the days of the past with today, and those ahead from today on', () => {
    const back = (today: string, count: number, grain: Grain) =>
      Object.values(daysBack(today, { count, grain })).join(' ');
    const ahead = (today: string, count: number, grain: Grain) =>
      Object.values(daysAhead(today, { count, grain })).join(' ');
    expect([
      back('2026-11-15', 7, 'day'),
      back('2026-11-15', 2, 'week'),
      back('2026-03-31', 1, 'month'),
      back('2024-02-29', 1, 'year'),
      ahead('2026-11-15', 30, 'day'),
      ahead('2026-12-30', 1, 'week'),
      ahead('2027-01-31', 1, 'month'),
      ahead('2026-11-30', 1, 'quarter'),
    ]).to.deep.equal([
      '2026-11-09 2026-11-15',
      '2026-11-02 2026-11-15',
      '2026-03-01 2026-03-31',
      '2023-03-01 2024-02-29',
      '2026-11-15 2026-12-15',
      '2026-12-30 2027-01-06',
      '2027-01-31 2027-02-28',
      '2026-11-30 2027-02-28',
    ]);
  });

  it('of days and weeks are one day later on the day after', () => {
    fc.assert(
      fc.property(anchors, counts, fc.constantFrom<Grain>('day', 'week'), (today, count, grain) => {
        for (const days of [daysAhead, daysBack]) {
          const [now, later] = [days(today, { count, grain }), days(addDays(today, 1), { count, grain })];
          expect(later).to.deep.equal({ from: addDays(now.from, 1), to: addDays(now.to, 1) });
        }
      }),
      { numRuns: 200 },
    );
  });

  it('of months end in the month that many months away, on the same day or the last one', () => {
    fc.assert(
      fc.property(anchors, counts, (today, count) => {
        const { to } = daysAhead(today, { count, grain: 'month' });
        const month = stretchAround('month', today, count);
        expect(monthOf(to)).to.equal(monthOf(month.from));
        expect(to.slice(8) === today.slice(8) || to === lastDayOfMonth(monthOf(to))).to.equal(true);
        expect(daysBack(today, { count: 12, grain: 'month' })).to.deep.equal(
          daysBack(today, { count: 1, grain: 'year' }),
        );
      }),
      { numRuns: 200 },
    );
  });

  it('of weeks begin on a Monday and contain the day', () => {
    fc.assert(
      fc.property(anchors, (today) => {
        const { from, to } = stretchAround('week', today, 0);
        expect(new Date(from).getUTCDay()).to.equal(1);
        expect([from <= today, today <= to, addDays(from, 6)]).to.deep.equal([true, true, to]);
        expect(stretchAround('week', today, 1).from).to.equal(addDays(from, 7));
      }),
      { numRuns: 200 },
    );
  });

  it('of a series are equal to the question with the period', async () => {
    const [first, last] = ['2010-01', '2025-12'];
    const days = fc
      .integer({ min: 0, max: 5000 })
      .map((each) => addDays('2012-02-01', each))
      .filter((day) => monthOf(day) <= last);
    await fc.assert(
      fc.asyncProperty(days, fc.integer({ min: 2, max: 18 }), async (today, count) => {
        const before = monthOf(stretchAround('month', today, -1).from);
        same(await asked('VIX last month', today), await asked(`VIX in ${periodWords(before)}`, today));
        const ago = monthOf(stretchAround('month', today, -count).from);
        if (ago >= first)
          for (const isWord of [false, true])
            same(
              await asked(`The VIX ${counted(count, 'month', isWord)} ago`, today),
              await asked(`VIX in ${periodWords(ago)}`, today),
            );
        const year = monthOf(stretchAround('month', today, -12).from);
        same(
          await asked('The VIX this time last year', today),
          await asked(`VIX in ${periodWords(year)}`, today),
        );
      }),
      { numRuns },
    );
  });

  it('of the newest values give the figures of the window to the bit, and say that they are stale', async () => {
    for (let count = 2; count <= 18; count += 1) {
      const from = monthOf(stretchAround('month', '2025-12-31', 1 - count).from);
      const window = await asked(`Average VIX from ${periodWords(from)} to December 2025`, '2026-11-15');
      for (const isWord of [false, true]) {
        const last = await asked(
          `Average VIX over the last ${counted(count, 'month', isWord)}`,
          '2026-11-15',
        );
        expect(last.query.period).to.deep.equal({ last: count });
        expect(last.facts[0]!.number).to.equal(window.facts[0]!.number);
        expect(last.flags).to.include('stale');
      }
      const ended = await asked(`Average VIX in the ${count} months ended December 2025`, '2026-11-15');
      expect([ended.query, ended.facts]).to.deep.equal([window.query, window.facts]);
    }
  });

  it('of flows are equal to the question with the days', async () => {
    for (const [count, grain] of [
      [30, 'day'],
      [45, 'day'],
      [2, 'week'],
      [10, 'week'],
    ] as const) {
      const { from, to } = daysBack('2026-11-15', { count, grain });
      same(
        await asked(`EUR outflows over the last ${count} ${grain}s`, '2026-11-15'),
        await asked(`EUR outflows from ${dayWords(from)} to ${dayWords(to)}`, '2026-11-15'),
      );
    }
  });

  it('of flows since a day or a month run to the day of the question', async () => {
    const days = fc.integer({ min: 0, max: 150 }).map((count) => addDays('2026-07-09', count));
    const flows = fc.constantFrom('USD inflow', 'EUR outflow', 'Net cash flow in EUR', 'Inflow');
    await fc.assert(
      fc.asyncProperty(days, days, flows, fc.boolean(), async (one, other, flow, isByDay) => {
        const [from, today] = one < other ? [one, other] : [other, one];
        const words = (day: string): string => (isByDay ? dayWords(day) : periodWords(monthOf(day)));
        const open = await asked(`${flow} since ${words(from)}`, today);
        const closed = await asked(`${flow} from ${words(from)} to ${words(today)}`, today);
        expect(open.query.period).to.deep.equal({ from: isByDay ? from : monthOf(from) });
        expect(open.query).to.deep.equal({ ...closed.query, period: open.query.period });
        expect(open.facts).to.deep.equal(closed.facts);
        expect(open.assumptions).to.include('period_to_date');
      }),
      { numRuns },
    );
    const [sum] = (await asked('USD inflow since July 2026', '2026-11-15')).facts;
    expect([sum!.value, sum!.periods]).to.deep.equal(['340700.00', 5]);
  });

  it('of flows that would count a month that is not meant are refused', async () => {
    for (const span of ['since the end of July 2026', 'from July 2026 to the start of September 2026'])
      expect((await answer({ question: `USD inflow ${span}` }, full)).outcome, span).to.equal('refused');
  });

  it('without a year have the figures of the most recent year, and name this assumption', async () => {
    for (const [question, year] of [
      ['USD inflow on August 5', 'USD inflow on August 5, 2026'],
      ['USD inflow from August 5 to September 9', 'USD inflow from August 5, 2026 to September 9, 2026'],
      ['USD inflow in August', 'USD inflow in August 2026'],
      ['USD inflow from July to September', 'USD inflow from July 2026 to September 2026'],
      ['USD inflow since August', 'USD inflow since August 2026'],
      [
        'USD inflow in the three months ended September',
        'USD inflow in the three months ended September 2026',
      ],
      ['USD balance on August 5', 'USD balance on August 5, 2026'],
      ['USD balance in August', 'USD balance in August 2026'],
      [
        "Acme's total revenue in the six months ended June",
        "Acme's total revenue in the six months ended June 2026",
      ],
      [
        "Acme's total revenue in the two months ended May",
        "Acme's total revenue in the two months ended May 2026",
      ],
      ["Acme's total revenue from March to June", "Acme's total revenue from March 2026 to June 2026"],
      ["Trend in Acme's headcount since June", "Trend in Acme's headcount since June 2026"],
      ["Acme's revenue in Q1 2026 versus Q2", "Acme's revenue in Q1 2026 versus Q2 2026"],
      ["Acme's revenue in Q2 versus Q1 2026", "Acme's revenue in Q2 2026 versus Q1 2026"],
      ["Acme's revenue in Q2 versus Q1", "Acme's revenue in Q2 2026 versus Q1 2026"],
    ] as const) {
      const [bare, full] = [await asked(question, '2026-11-15'), await asked(year, '2026-11-15')];
      expect([bare.query, bare.facts], question).to.deep.equal([full.query, full.facts]);
      expect(bare.assumptions, question).to.have.members(['most_recent_past', ...full.assumptions]);
      expect(full.assumptions, year).to.not.include('most_recent_past');
    }
  });

  it('with a count that is not a whole number from 1 to 1200 are refused', async () => {
    for (const count of ['0', 'zero', '2.5', '-3', '1e9', '99999999999999999999', 'several', 'umpteen'])
      for (const span of [`next ${count} days`, `last ${count} days`, `last ${count} months`])
        for (const question of [
          `Which obligations are due in the ${span}?`,
          `EUR outflows over the ${span}`,
          `Average VIX over the ${span}`,
        ])
          expect((await answer({ question }, full)).outcome, question).to.not.equal('answered');
  });

  it('and comparisons are not answered with an unknown word, and their queries give the same facts', async () => {
    for (const name of ['treasury.jsonl', 'auditor.jsonl'])
      for (const { question, expect: wanted } of casesOf(readFileSync(pathOf(name), 'utf8'))) {
        if (wanted.outcome !== 'answered') continue;
        const given = await answer({ question }, full);
        if (given.outcome !== 'answered') continue;
        const again = await answerQuery(given.query, full);
        expect(again.outcome === 'answered' && again.facts, question).to.deep.equal(given.facts);
        const words = question.split(' ');
        for (let at = isExhaustive ? 0 : question.length % 2; at <= words.length; at += isExhaustive ? 1 : 2)
          for (const unknown of ['zorblax', 'Quuxington', 'without']) {
            const changed = [...words.slice(0, at), unknown, ...words.slice(at)].join(' ');
            expect((await answer({ question: changed }, full)).outcome, changed).to.not.equal('answered');
          }
      }
  });
});

describe('Comparisons of questions', () => {
  let full: Setting;

  before(async () => {
    const fixture = fixtureBeside(pathOf('dev.jsonl'));
    full = await settingOf(fixture, 'full', memoryOf(fixture));
  });

  const queryOf = async (question: string): Promise<unknown> => {
    const given = await answer({ question }, full);
    return given.outcome === 'answered' ? given.query : [given.outcome, given.code];
  };

  it('between two periods are changes, in any of the usual forms', async () => {
    const wanted = await queryOf('How did the VIX change from October 2008 to March 2020?');
    for (const question of [
      'How did the VIX compare between October 2008 and March 2020?',
      'How did the VIX compare between March 2020 and October 2008?',
      'What was the difference in the VIX between October 2008 and March 2020?',
      'VIX in March 2020 versus October 2008',
      'Was the VIX higher in March 2020 than in October 2008?',
      'How does the VIX in March 2020 compare with October 2008?',
    ])
      expect(await queryOf(question), question).to.deep.equal(wanted);
  });

  it('between two names are comparisons, in any of the usual forms', async () => {
    const wanted = await queryOf('Compare the headcount of Acme and Bolt in May 2026.');
    for (const question of [
      'How did headcount compare between Acme and Bolt in May 2026?',
      'What was the difference in headcount between Acme and Bolt in May 2026?',
      'Between Acme and Bolt, whose headcount was larger in May 2026?',
      'Headcount: Acme versus Bolt, May 2026',
      "Was Acme's headcount higher than Bolt's in May 2026?",
    ])
      expect(await queryOf(question), question).to.deep.equal(wanted);
  });

  it('of whole quarters and years of a flow compare their sums', async () => {
    const given = await answer(
      { question: "How did Acme's revenue compare between Q2 2025 and Q2 2026?" },
      full,
    );
    if (given.outcome !== 'answered') throw new Error(given.code);
    const [end, base, change] = given.facts;
    for (const [fact, period] of [
      [end!, 'the second quarter of 2026'],
      [base!, 'the second quarter of 2025'],
    ] as const) {
      const sum = await answer({ question: `Acme's total revenue in ${period}` }, full);
      expect(sum.outcome === 'answered' && sum.facts[0]!.value).to.equal(fact.value);
    }
    expect([end!.periods, base!.period, change!.value]).to.deep.equal([3, '2025-Q2', '523310.00']);
    expect(given.assumptions).to.include('flow_adds_up');
  });

  it('of windows that the grammar cannot compare ask back or are refused', async () => {
    for (const [question, code] of [
      ['How did the VIX compare between 2008 and 2020?', 'ambiguous_aggregation'],
      ["How did Acme's revenue compare between Q1 2026 and 2025?", 'ambiguous_aggregation'],
      ["How did Acme's revenue compare between Q3 2023 and Q3 2025?", 'not_in_coverage'],
      ['How did VIX and CPI compare in March 2020?', 'unit_mismatch'],
      ["Is Acme's revenue larger than Bolt's in May 2026?", 'currencies_mixed'],
    ] as const)
      expect((await queryOf(question)) as unknown[], question).to.include(code);
  });

  it('never compare a period with itself', async () => {
    const given = await answer({ question: "How did Acme's revenue compare between Q2 and Q2 2025?" }, full);
    expect(given.outcome === 'answered' && given.facts.at(-1)!.value).to.not.equal('0.00');
    const window = await answer({ question: 'How did the VIX change from June to June 2020?' }, full);
    expect(window.outcome).to.not.equal('answered');
  });

  it('of extremes, and two lists in one question, are not answered by a part of the question', async () => {
    for (const question of [
      "How did Acme's highest revenue compare between 2024 and 2025?",
      "Acme's highest revenue in May 2026 versus May 2025",
      'Which obligations are due in the next 30 days or overdue?',
      'Which obligations are due in the next 30 days and which are overdue?',
      'Which obligations are not due in the next 30 days?',
      'Which obligations are due in the next 30 working days?',
      'How many obligations are due in more than 30 days?',
    ])
      expect((await answer({ question }, full)).outcome, question).to.not.equal('answered');
  });

  it('over a period have the same change as in it', async () => {
    for (const verb of ['rise', 'climb', 'go up'])
      expect(await queryOf(`How much did the VIX ${verb} over 2019?`)).to.deep.equal(
        await queryOf('How much did the VIX rise in 2019?'),
      );
    expect(await queryOf('When did the VIX first rise over 40?')).to.deep.include({ op: 'rank', limit: 1 });
  });

  it('take what is due from a counterparty for no debt of ours', async () => {
    for (const question of [
      'What is due from Acme Bank next month?',
      'How much is due from Acme Bank next month?',
      'What data is overdue?',
      'Which transactions are overdue?',
    ])
      expect((await answer({ question }, full)).outcome, question).to.equal('refused');
  });
});
