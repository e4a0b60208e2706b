import { expect } from 'chai';
import fc from 'fast-check';
import {
  decideRun,
  isTerminal,
  movesOf,
  runStates,
  type RunEvent,
  type RunState,
} from '#lib/pipeline/run.ts';

const events = ['start', 'succeed', 'fail', 'cancel'] as const satisfies readonly RunEvent[];

/** The effect of each event in each state: the next state, no change, or a refusal. */
const table: Record<RunState, Record<RunEvent, RunState | 'unchanged' | 'refused'>> = {
  queued: { start: 'running', succeed: 'refused', fail: 'failed', cancel: 'cancelled' },
  running: { start: 'running', succeed: 'succeeded', fail: 'failed', cancel: 'cancelled' },
  succeeded: { start: 'refused', succeed: 'unchanged', fail: 'refused', cancel: 'refused' },
  failed: { start: 'refused', succeed: 'refused', fail: 'unchanged', cancel: 'refused' },
  cancelled: { start: 'refused', succeed: 'refused', fail: 'refused', cancel: 'unchanged' },
};

function verdict(state: RunState, event: RunEvent): string {
  const decided = decideRun(state, event);
  return decided.ok ? decided.next : 'refused';
}

describe('the states of a run', () => {
  it('are the five states of the expected table', () => {
    expect(Object.keys(table)).to.have.members([...runStates]);
  });

  for (const state of runStates) {
    for (const event of events) {
      it(`give ${table[state][event]} for the event ${event} in the state ${state}`, () => {
        expect(verdict(state, event)).to.equal(table[state][event]);
      });
    }
  }

  it('are final exactly when no event changes them to another state', () => {
    for (const state of runStates) {
      const leadsOut = events.some((event) => runStates.includes(verdict(state, event) as RunState));
      expect(isTerminal(state), state).to.equal(!leadsOut);
    }
  });

  it('change on an event always to the same state, from exactly the listed states', () => {
    for (const event of events) {
      const { from, to } = movesOf(event);
      for (const state of runStates) {
        const decided = decideRun(state, event);
        const moves = decided.ok && decided.next !== 'unchanged';
        expect(from.includes(state), `${state}, ${event}`).to.equal(moves);
        if (moves) expect(decided.next).to.equal(to);
      }
    }
  });

  // The queue may deliver a job several times. The first final state must not change afterwards.
  it('change to a final state at most once, for any order of events', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...events), { maxLength: 30 }), (deliveries) => {
        let state: RunState = 'queued';
        const ends: RunState[] = [];
        for (const event of deliveries) {
          const decided = decideRun(state, event);
          if (!decided.ok || decided.next === 'unchanged') continue;
          state = decided.next;
          if (isTerminal(state)) ends.push(state);
        }
        expect(ends.length).to.be.at.most(1);
        if (ends.length) expect(state).to.equal(ends[0]);
      }),
    );
  });
});
