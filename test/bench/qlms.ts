import { readFileSync } from 'node:fs';
import { quantile } from 'simple-statistics';
import { buildLexicon, type Name } from '#lib/qlms/language/lexicon.ts';
import { fixtureBeside } from '../golden/qlm/fixture.ts';
import { casesOf } from '../golden/qlm.ts';
import { startSample, type Sample } from '../golden/qlm/workspace.ts';
import type { Bench, BenchContext, Row } from './bench.ts';
import { processorMs } from './processor-time.ts';
import { interleave, ratioRow } from './rounds.ts';

const BENCH = 'qlms';
const CASES = 'test/golden/qlm/dev.jsonl';
const PAGE = '/data/economics/series/GS10/observations';
const NAMES = { full: 10_000, tiny: 100 };
const QUESTIONS = { full: 120, tiny: 2 };
const ROUNDS = { full: 5, tiny: 1 };
const LEXICON_MS = 150;

/** Measures how long a question takes compared with a page of observations, and how long names take to index. */
export const bench: Bench = {
  summary:
    'a question to a question model compared with a page of observations, and the index of 10,000 names',
  targets:
    'p95 of a question <= 3 x p95 of a page: a question reads names and data, and seals and stores its answer; the ' +
    'index of 10,000 names <= 150 ms of processor time, because the next question after a change of a name waits for it',
  run: async (context) => [lexiconRow(context), ...(await questionRows(context))],
};

function lexiconRow({ size }: BenchContext): Row {
  const names = manyNames(NAMES[size]);
  const times = Array.from({ length: 9 }, () => processorMs(() => void buildLexicon(names)));
  const figure = quantile(times, 0.5);
  return {
    bench: BENCH,
    case: `index of ${NAMES[size].toLocaleString('en')} names of companies and counterparties`,
    unit: 'ms',
    figure,
    peer: null,
    ratio: null,
    spread: null,
    target: size === 'full' ? `<= ${LEXICON_MS} ms` : null,
    met: size === 'full' ? figure <= LEXICON_MS : null,
    note: 'processor time, median of 9',
  };
}

/** Returns names such as `Northern Atlas & Stone 17 Holdings`. */
function manyNames(count: number): Name[] {
  const words = 'Northern Atlas Vega Orion Summit River Stone Harbor Lake Global United Iron Copper'.split(
    ' ',
  );
  const legal = ['Inc.', 'Corp.', 'Ltd', 'PLC', 'Holdings', 'AG'];
  const at = <T>(list: readonly T[], index: number): T => list[index % list.length]!;
  return Array.from({ length: count }, (_, index) => ({
    kind: 'entity',
    type: index % 2 === 0 ? 'company' : 'counterparty',
    key: String(index),
    name: `${at(words, index)} ${at(words, index * 5 + 1)} & ${at(words, index * 7 + 2)} ${index} ${at(legal, index)}`,
  }));
}

async function questionRows({ size, notify }: BenchContext): Promise<Row[]> {
  const cases = casesOf(readFileSync(CASES, 'utf8'))
    .filter(
      ({ expect, context, credential }) =>
        expect.outcome === 'answered' && !context && credential !== 'narrow',
    )
    .slice(0, QUESTIONS[size]);
  const sample = await startSample(fixtureBeside(CASES));
  try {
    const sides = {
      subject: (question: string) =>
        timed(() => sample.full.post(`/qlms/${sample.qlm}/invoke`, { question })),
      peer: () => timed(() => sample.full.get(PAGE)),
    };
    notify(`${cases.length} questions, each with a page of observations, ${ROUNDS[size]} rounds`);
    const rounds = { p50: both(), p95: both() };
    // The first pass compiles the code of each kind of question and is not counted.
    for (let round = -1; round < ROUNDS[size]; round += 1) {
      let asked = 0;
      const { subject: questions, peer: pages } = await interleave(cases.length, {
        subject: () => sides.subject(cases[asked++]!.question),
        peer: sides.peer,
      });
      if (round < 0) continue;
      for (const [name, share] of [
        ['p50', 0.5],
        ['p95', 0.95],
      ] as const) {
        rounds[name].subject.push(quantile(questions, share));
        rounds[name].peer.push(quantile(pages, share));
      }
    }
    const about = { bench: BENCH, unit: 'ms', note: 'from the request to its answer, one client' };
    return [
      ratioRow({ ...about, case: 'a question, p50; peer: a page of observations' }, rounds.p50, null),
      ratioRow(
        { ...about, case: 'a question, p95; peer: a page of observations' },
        rounds.p95,
        size === 'full' ? { max: 3 } : null,
      ),
    ];
  } finally {
    await sample.stop();
  }
}

function both(): { subject: number[]; peer: number[] } {
  return { subject: [], peer: [] };
}

async function timed(send: () => ReturnType<Sample['full']['get']>): Promise<number> {
  const started = performance.now();
  const { status, body } = await send();
  if (status !== 200) throw new Error(`answered ${status}: ${JSON.stringify(body)}`);
  return performance.now() - started;
}
