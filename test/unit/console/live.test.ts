import { expect } from 'chai';
import { eventOf } from '#api/console/live.ts';

describe('the event of a run', () => {
  it('has the state with its tone, the progress in per cent, and whether the run has ended', () => {
    const uid = 'fct_01K8XQ5W3ZJ6T9R2M4N7P0QABC';
    expect(eventOf({ uid, state: 'running', progress: 0.256 })).to.equal(
      `data: {"uid":"${uid}","state":"running","tone":"warn","percent":26,"isOver":false}\n\n`,
    );
    expect(eventOf({ uid, state: 'failed', progress: 0.5 })).to.include(
      '"tone":"bad","percent":50,"isOver":true',
    );
  });
});
