import { expect } from 'chai';
import { decideFreeze } from '#lib/access/freeze.ts';

describe('decideFreeze', () => {
  const active = { state: 'active' as const, frozenBy: null };
  const frozen = { state: 'frozen' as const, frozenBy: 'anna' };

  it('I-164 lets any person freeze a workspace that is not frozen', () => {
    expect(decideFreeze(active, 'freeze', 'anna')).to.deep.equal({ ok: true, next: 'frozen' });
    expect(decideFreeze(frozen, 'freeze', 'bert')).to.deep.equal({ ok: false, code: 'already_frozen' });
  });

  it('lets only a person other than the initiator end the freeze', () => {
    expect(decideFreeze(frozen, 'thaw', 'anna')).to.deep.equal({ ok: false, code: 'second_person_required' });
    expect(decideFreeze(frozen, 'thaw', 'bert')).to.deep.equal({ ok: true, next: 'active' });
    expect(decideFreeze(active, 'thaw', 'bert')).to.deep.equal({ ok: false, code: 'not_frozen' });
  });
});
