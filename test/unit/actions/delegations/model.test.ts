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
 * The number of sequences that begin with the same fixed calls. These calls produce every possible answer,
 * so that every answer is tested for every random seed.
 */
const OPENED = RUNS / 10;

describe('a random sequence of calls on delegations', function () {
  const answers = new Map<string, number>();

  it('I-041 I-050 to I-053 I-055 to I-061 I-064 I-070 to I-077 I-080 returns the answers that a reference model predicts', async () => {
    const start = async () => counting(memoryBackend(rules), answers);
    await holdAgainstModel(start, { numRuns: OPENED }, everyAnswer);
    await holdAgainstModel(start, { numRuns: RUNS - OPENED });
  });

  // The comparison above tests a call only if the call occurs and is sometimes allowed and sometimes refused.
  it('contains many allowed and many refused calls of each kind', () => {
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

describe('an active delegation whose voters lose their authority', function () {
  const end = Date.parse(AUTHORITIES_END);

  for (const [title, instant, is] of [
    ['stays active if an authority ends that its votes do not depend on', end - 1, 'active'],
    [
      'is suspended by the end of any authority once the authorities of its votes have expired',
      end,
      'suspended',
    ],
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
