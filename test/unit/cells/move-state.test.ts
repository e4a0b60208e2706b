import { expect } from 'chai';
import { decideArrival, decideBegin } from '#lib/cells/move-state.ts';

describe('The begin of a move', () => {
  it('is allowed for a workspace that does not move', () => {
    expect(decideBegin(undefined, 'b')).to.deep.equal({ ok: true, stage: 'new' });
  });

  it('continues an interrupted move to the same cell, and refuses another cell', () => {
    const moving = { state: 'moving', to: 'b' } as const;
    expect(decideBegin(moving, 'b')).to.deep.equal({ ok: true, stage: 'interrupted' });
    expect(decideBegin(moving, 'c')).to.deep.equal({ ok: false, code: 'moving_elsewhere' });
  });

  it('continues a completed move to the same cell, and refuses another cell', () => {
    const moved = { state: 'moved', to: 'b' } as const;
    expect(decideBegin(moved, 'b')).to.deep.equal({ ok: true, stage: 'completed' });
    expect(decideBegin(moved, 'c')).to.deep.equal({ ok: false, code: 'already_moved' });
  });
});

describe('The arrival of a workspace', () => {
  it('is recorded once, and not after the workspace has been moved on', () => {
    expect(decideArrival({ isRecorded: false, isAway: false })).to.deep.equal({ ok: true, isNew: true });
    expect(decideArrival({ isRecorded: true, isAway: false })).to.deep.equal({ ok: true, isNew: false });
    for (const isRecorded of [true, false])
      expect(decideArrival({ isRecorded, isAway: true })).to.deep.equal({ ok: false, code: 'already_moved' });
  });
});
