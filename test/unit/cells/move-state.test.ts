import { expect } from 'chai';
import { decideBegin } from '#lib/cells/move-state.ts';

describe('The begin of a move', () => {
  it('is allowed for a workspace that does not move', () => {
    expect(decideBegin(undefined, 'b')).to.deep.equal({ ok: true, isResumed: false });
  });

  it('continues an interrupted move to the same cell, and refuses another cell', () => {
    const moving = { state: 'moving', to: 'b' } as const;
    expect(decideBegin(moving, 'b')).to.deep.equal({ ok: true, isResumed: true });
    expect(decideBegin(moving, 'c')).to.deep.equal({ ok: false, code: 'moving_elsewhere' });
  });

  it('is refused for a workspace that has been moved, whatever the cell', () => {
    for (const to of ['b', 'c'])
      expect(decideBegin({ state: 'moved', to: 'b' }, to)).to.deep.equal({
        ok: false,
        code: 'already_moved',
      });
  });
});
