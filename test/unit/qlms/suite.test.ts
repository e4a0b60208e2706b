import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { gateFaults, scoreSuite, type SuiteScores } from '#lib/qlms/evaluation/score.ts';
import { casesOf, judgeSuite } from '../../golden/qlm.ts';

const fileOf = (name: string): string => fileURLToPath(new URL(`../../golden/qlm/${name}`, import.meta.url));

async function scored(name: string): Promise<{ scores: SuiteScores; faults: string[]; leaks: number }> {
  const path = fileOf(name);
  const { judged, leaks } = await judgeSuite(casesOf(readFileSync(path, 'utf8')), path);
  const scores = scoreSuite(judged);
  return { scores, faults: gateFaults(judged, scores), leaks };
}

describe('The language engine of QLMs', () => {
  it('answers the development suite with scores within its thresholds', async () => {
    const { scores, faults, leaks } = await scored('dev.jsonl');
    expect(faults).to.deep.equal([]);
    expect(leaks).to.equal(0);
    expect(scores.outcome.rate).to.be.at.least(0.97);
    expect(scores.facts.rate).to.be.at.least(0.98);
    expect(scores.falseAnswers.rate).to.be.at.most(0.005);
    expect(scores.ungrounded + scores.uncited).to.equal(0);
  });

  it('answers other phrasings with few refusals and no false answer', async () => {
    for (const name of [
      'phrasings.jsonl',
      'analyst.jsonl',
      'desk.jsonl',
      'finance.jsonl',
      'treasury.jsonl',
      'auditor.jsonl',
    ]) {
      const { scores } = await scored(name);
      expect(scores.outcome.rate, name).to.be.at.least(name === 'desk.jsonl' ? 0.93 : 0.95);
      expect(scores.falseAnswers.k, name).to.equal(0);
      expect(scores.ungrounded, name).to.equal(0);
    }
  });
});
