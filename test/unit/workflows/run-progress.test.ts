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

describe('where a run of a workflow stands', () => {
  for (const first of stepStates) {
    for (const second of stepStates) {
      it(`is told of a ${first} step and a ${second} one behind it`, () => {
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

  it('begins steps beside one another, and one that needs several when all have succeeded', () => {
    const apart = progress(step('a', 'pending'), step('b', 'pending'), step('c', 'pending', ['a', 'b']));
    expect(apart).to.deep.equal({ state: 'running', ready: ['a', 'b'] });
    const half = progress(
      step('a', 'succeeded'),
      step('b', 'waiting_approval'),
      step('c', 'pending', ['a', 'b']),
    );
    expect(half).to.deep.equal({ state: 'waiting_approval', ready: [] });
  });

  it('keeps a step that is tried again waiting until its time', () => {
    expect(progress(step('a', 'pending', [], later))).to.deep.equal({ state: 'running', ready: [] });
    expect(progress(step('a', 'pending', [], now))).to.deep.equal({ state: 'running', ready: ['a'] });
  });

  it('is over when its time is, unless all had succeeded', () => {
    const over = (state: StepState) => progressOf([step('a', state)], { now: later, deadline: later });
    expect(over('running')).to.deep.equal({ state: 'timed_out' });
    expect(over('waiting_approval')).to.deep.equal({ state: 'timed_out' });
    expect(over('succeeded')).to.deep.equal({ state: 'succeeded' });
  });
});
