import { expect } from 'chai';
import { Auditor } from '../../../support/delegation/auditor.ts';
import type { DelegationBackend } from '../../../support/delegation/backend.ts';
import { holdAgainstModel } from '../../../support/delegation/model.ts';
import { memoryBackend } from '../../../support/delegation/memory-backend.ts';
import { everyAnswer } from '../../../support/delegation/opening.ts';
import { rules } from '../../../support/delegation/rules.ts';
import { repetitions } from '../../../support/repetitions.ts';
import { AUTHORITIES_END, nodes, plainTerms } from '../../../support/delegation/world.ts';

const RUNS = repetitions.delegationCalls;
/**
 * The number of sequences that begin with a fixed opening. The opening causes every answer to every call, so
 * that every answer occurs for every seed.
 */
const OPENED = RUNS / 10;

describe('any sequence of calls on delegations', function () {
  const answers = new Map<string, number>();

  it('I-041 I-050 to I-053 I-055 to I-061 I-064 I-070 to I-077 I-080 returns what a reference model predicts from the earlier calls', async () => {
    const start = async () => counting(memoryBackend(rules), answers);
    await holdAgainstModel(start, { numRuns: OPENED }, everyAnswer);
    await holdAgainstModel(start, { numRuns: RUNS - OPENED });
  });

  // The property proves nothing about a call that was always refused or never tried.
  it('includes each call many times as allowed and many times as refused', () => {
    const many = repetitions.delegationCalls / 50;
    for (const call of [
      'create',
      'approve',
      'resume',
      'reject',
      'suspend',
      'revoke',
      'authorize',
      'settle',
      'release',
    ]) {
      expect(answers.get(`${call} ok`), `${call} allowed`).to.be.greaterThan(many);
      expect(answers.get(`${call} refused`), `${call} refused`).to.be.greaterThan(many);
    }
    expect(answers.get('approve activated')).to.be.greaterThan(3 * many);
    expect(answers.get('resume activated')).to.be.greaterThan(many);
  });
});

describe('a delegation whose end time has passed without its end being recorded', function () {
  const end = Date.parse(AUTHORITIES_END);

  for (const [title, instant, is] of [
    ['stays in force while the authorities of its votes last, whoever else loses theirs', end - 1, 'active'],
    ['is suspended once the authorities of its votes are over and any other ends', end, 'suspended'],
  ] as const) {
    it(title, async () => {
      const auditor = new Auditor(memoryBackend(rules));
      const of = (await auditor.create({ nodes, budgets: plainTerms.budgets }))!;
      for (const application of ['ann', 'ben', 'cyd']) await auditor.approve(of, application);
      await auditor.moveTo(instant);
      await auditor.endAuthority('kit');
      expect(of.is).to.equal(is);
      await auditor.spend(of, 1);
      await auditor.suspend(of);
      await auditor.revoke(of);
    });
  }
});

function counting(backend: DelegationBackend, answers: Map<string, number>): DelegationBackend {
  const count = (word: string) => answers.set(word, (answers.get(word) ?? 0) + 1);
  const counted = Object.entries(backend).map(([name, call]) => [
    name,
    async (...given: unknown[]) => {
      const answer = await (call as (...given: unknown[]) => Promise<Answer>)(...given);
      if (answer?.ok !== undefined) count(`${name} ${answer.ok ? 'ok' : 'refused'}`);
      if (answer?.isActivated) count(`${name} activated`);
      return answer;
    },
  ]);
  return Object.fromEntries(counted) as DelegationBackend;
}

type Answer = { ok?: boolean; isActivated?: boolean } | undefined;
