import { expect } from 'chai';
import { decidePurge, type OldCopy } from '#lib/cells/purge-state.ts';

const now = new Date('2026-12-31T00:00:00Z');
const daysAgo = (days: number) => new Date(now.getTime() - days * 86_400_000);
const copy: OldCopy = { movedAt: daysAgo(30), isPurged: false, request: undefined };

describe('The deletion of an old copy', () => {
  it('is requested 30 days after the move at the earliest', () => {
    expect(decidePurge(copy, 'ann', now)).to.deep.equal({ ok: true, step: 'requested' });
    const younger = { ...copy, movedAt: new Date(daysAgo(30).getTime() + 1) };
    expect(decidePurge(younger, 'ann', now)).to.deep.equal({ ok: false, code: 'copy_kept' });
  });

  it('is approved by another person within 7 days', () => {
    const requested = { ...copy, request: { by: 'ann', at: daysAgo(7) } };
    expect(decidePurge(requested, 'bob', now)).to.deep.equal({ ok: true, step: 'approved' });
    expect(decidePurge(requested, 'ann', now)).to.deep.equal({ ok: false, code: 'same_person' });
    const older = { ...copy, request: { by: 'ann', at: new Date(daysAgo(7).getTime() - 1) } };
    for (const person of ['ann', 'bob'])
      expect(decidePurge(older, person, now)).to.deep.equal({ ok: true, step: 'requested' });
  });

  it('happens once', () => {
    const done = { ...copy, isPurged: true };
    expect(decidePurge(done, 'ann', now)).to.deep.equal({ ok: false, code: 'copy_purged' });
  });
});
