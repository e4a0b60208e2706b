import { expect } from 'chai';
import { stepStates, type StepState } from '#lib/workflows/run-states.ts';
import { progressOf } from '#lib/workflows/run-progress.ts';

const now = new Date('2026-01-01T00:00:00Z');
const later = new Date('2026-01-01T00:01:00Z');
const step = (key: string, state: StepState, needs: string[] = [], notBefore: Date | null = null) => ({
  key,
  state,
  needs,
  notBefore,
});
const progress = (...steps: ReturnType<typeof step>[]) => progressOf(steps, { now, deadline: later });

describe('the progress of a workflow run', () => {
  for (const first of stepStates) {
    for (const second of stepStates) {
      it(`has the expected state and steps to start for a step that is ${first} with a successor that is ${second}`, () => {
        const actual = progress(step('a', first), step('b', second, ['a']));
        const both = new Set([first, second]);
        if (both.has('failed') || both.has('cancelled')) {
          return expect(actual).to.deep.equal({ state: 'failed' });
        }
        if (first === 'succeeded' && second === 'succeeded') {
          return expect(actual).to.deep.equal({ state: 'succeeded' });
        }
        const ready = [
          ...(first === 'pending' ? ['a'] : []),
          ...(first === 'succeeded' && second === 'pending' ? ['b'] : []),
        ];
        const isMoving = ready.length > 0 || both.has('running');
        expect(actual).to.deep.equal({ state: isMoving ? 'running' : 'waiting_approval', ready });
      });
    }
  }

  it('starts each step as soon as all its predecessors have succeeded', () => {
    const apart = progress(step('a', 'pending'), step('b', 'pending'), step('c', 'pending', ['a', 'b']));
    expect(apart).to.deep.equal({ state: 'running', ready: ['a', 'b'] });
    const half = progress(
      step('a', 'succeeded'),
      step('b', 'waiting_approval'),
      step('c', 'pending', ['a', 'b']),
    );
    expect(half).to.deep.equal({ state: 'waiting_approval', ready: [] });
  });

  it('does not start a step before its retry time', () => {
    expect(progress(step('a', 'pending', [], later))).to.deep.equal({ state: 'running', ready: [] });
    expect(progress(step('a', 'pending', [], now))).to.deep.equal({ state: 'running', ready: ['a'] });
  });

  it('is timed_out at the deadline unless all steps have succeeded', () => {
    const over = (state: StepState) => progressOf([step('a', state)], { now: later, deadline: later });
    expect(over('running')).to.deep.equal({ state: 'timed_out' });
    expect(over('waiting_approval')).to.deep.equal({ state: 'timed_out' });
    expect(over('succeeded')).to.deep.equal({ state: 'succeeded' });
  });
});
