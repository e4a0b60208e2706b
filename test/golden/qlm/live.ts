import type { Case } from '#lib/qlms/evaluation/suite.ts';
import { judge, type Judged } from '#lib/qlms/evaluation/judge.ts';
import { gateFaults, scoreSuite } from '#lib/qlms/evaluation/score.ts';
import { casesOf, reportOf } from '../qlm.ts';
import type { Report } from '../report.ts';
import { fixtureBeside } from './fixture.ts';

/** A name that does not exist. It must get the same answer as a name of another workspace. */
const NOWHERE = 'Qwxzzy AG';

/**
 * Sets the sample workspace up from the fixture in the folder of the file, asks the cases over HTTP, and scores the
 * answers. The clock of all processes begins at the instant of the fixture.
 */
export async function check(contents: string, path: string): Promise<Report> {
  const cases = casesOf(contents);
  const fixture = fixtureBeside(path);
  await shiftClock(fixture.clock);
  // The parts of the service read the clock when they are loaded, so they are imported after the clock is shifted.
  const { startSample } = await import('./workspace.ts');
  const { askCase } = await import('./asked.ts');
  const sample = await startSample(fixture);
  try {
    const judged: Judged[] = [];
    const times: number[] = [];
    let leaks = 0;
    for (const test of cases) {
      const { answer, ms } = await askCase(sample, test);
      judged.push(judge(test, answer));
      times.push(ms);
      if (!test.tags.includes('cross_tenant') || !test.question.includes('Zenith AG')) continue;
      const other: Case = { ...test, question: test.question.replace('Zenith AG', NOWHERE) };
      if (plain(answer) !== plain((await askCase(sample, other)).answer)) leaks += 1;
    }
    const page: number[] = [];
    for (let count = 0; count < 50; count += 1) {
      const began = performance.now();
      await sample.full.get('/data/economics/series/GS10/observations');
      page.push(performance.now() - began);
    }
    const scores = scoreSuite(judged);
    return reportOf(judged, {
      faults: [
        ...gateFaults(judged, scores),
        ...(leaks > 0 ? ['names of another workspace are answered otherwise'] : []),
      ],
      lines: [
        `latency of a question: p50 ${at(times, 0.5)} ms, p95 ${at(times, 0.95)} ms`,
        `latency of a page of observations: p50 ${at(page, 0.5)} ms, p95 ${at(page, 0.95)} ms`,
      ],
    });
  } finally {
    await sample.stop();
  }
}

/** Shifts the clock of this process and its children to an instant. */
async function shiftClock(instant: string): Promise<void> {
  const file = new URL('./shifted-clock.ts', import.meta.url).href;
  process.env['QLM_CLOCK_OFFSET_MS'] = String(Date.parse(instant) - Date.now());
  process.env['NODE_OPTIONS'] = `${process.env['NODE_OPTIONS'] ?? ''} --import ${file}`.trim();
  await import('./shifted-clock.ts');
}

function plain(answer: object): string {
  return JSON.stringify({ ...answer, spans: [] });
}

function at(times: readonly number[], share: number): string {
  const sorted = [...times].sort((one, other) => one - other);
  return (sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0).toFixed(1);
}
