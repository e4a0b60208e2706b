import { expect } from 'chai';
import type { DelegationBackend } from '../../../support/delegation/backend.ts';
import { holdAgainstModel } from '../../../support/delegation/model.ts';
import { memoryBackend } from '../../../support/delegation/memory-backend.ts';
import { rules } from '../../../support/delegation/rules.ts';
import { isExhaustive, repetitions } from '../../../support/repetitions.ts';

describe('any sequence of calls about delegations', function () {
  const answers = new Map<string, number>();

  it('I-041 I-050 to I-053 I-055 to I-061 I-064 I-070 to I-077 I-080 is answered as the calls before it demand', async () => {
    await holdAgainstModel(async () => counting(memoryBackend(rules), answers), {
      numRuns: repetitions.delegationCalls,
    });
  });

  // What is refused always, or was never tried, would prove nothing; a few sequences do not tell.
  if (isExhaustive)
    it('was both allowed and refused, call by call, many times', () => {
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
