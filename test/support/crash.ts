import { expect } from 'chai';
import type { DroppingProxy } from './dropping-proxy.ts';
import { eventually } from './runs.ts';

/**
 * The bound on the statements of one call. It is larger than the number of statements in any transaction of
 * Assay. A test fails if a call needs more statements.
 */
const STATEMENTS_MAX = 200;

export type Crashing<Subject, Answer> = {
  /** Creates the subject of the call. Each crash has a new subject. */
  prepare(): Promise<Subject>;
  /** Makes the call through the proxy. */
  call(subject: Subject): Promise<Answer>;
  /** Whether the answer reports the effect. If false, a careful caller repeats the call. */
  isDone(answer: Answer): boolean;
  /** Returns how many times each trace of the call exists, by name: 0 if it is absent, 1 if it exists once. */
  traces(subject: Subject): Promise<Record<string, number>>;
};

export type Crashed = { statements: string[]; absent: number; present: number };

/**
 * Cuts the caller's connection after the first statement of its transaction, after the second, and so on
 * until the call succeeds. After every cut, either all traces of the call exist or no trace exists. A retry
 * then results in exactly one effect.
 */
export async function crashEverywhere<Subject, Answer>(
  proxy: DroppingProxy,
  { prepare, call, isDone, traces }: Crashing<Subject, Answer>,
): Promise<Crashed> {
  const crashed: Crashed = { statements: [], absent: 0, present: 0 };
  for (let statement = 1; statement <= STATEMENTS_MAX; statement++) {
    const subject = await prepare();
    expect(new Set(Object.values(await traces(subject))), 'before').to.deep.equal(new Set([0]));
    proxy.dropAfter(statement);
    const first = await call(subject).catch(() => undefined);
    const cut = proxy.disarm();
    const about = `cut after statement ${statement}, ${cut}`;
    const left = await traces(subject);
    const values = new Set(Object.values(left));
    expect(values.size, `${about}: ${JSON.stringify(left)}`).to.equal(1);
    const isThere = !values.has(0);
    if (first !== undefined && isDone(first)) expect(isThere, `${about}: answered`).to.equal(true);
    await eventually(async () => {
      const again = await call(subject).catch(() => undefined);
      return again !== undefined && isDone(again);
    });
    const kept = await traces(subject);
    expect(new Set(Object.values(kept)), `${about}, again: ${JSON.stringify(kept)}`).to.deep.equal(
      new Set([1]),
    );
    if (cut === undefined) return crashed;
    crashed.statements.push(cut);
    crashed[isThere ? 'present' : 'absent']++;
  }
  throw new Error(`still crashing after ${STATEMENTS_MAX} statements`);
}

/** The commit, alone or sent together with the last writes. */
const COMMIT = /(^|; )commit$/;

/**
 * Checks that crashes happened before and after the commit, which is one round trip. The shortest transaction has two
 * round trips before it: one that finds its record and one that locks it.
 */
export function expectBothSides({ statements, absent, present }: Crashed): void {
  expect(statements.filter((each) => COMMIT.test(each)).length, statements.join('\n')).to.be.at.least(1);
  expect(present, 'after the commit').to.be.at.least(1);
  expect(absent, 'before the commit').to.be.at.least(2);
}
