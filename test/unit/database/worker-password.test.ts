import { expect } from 'chai';
import { roleUrl, workerPassword } from '#lib/database/roles.ts';

const owner = 'postgres://assay_owner:secret@db.test:5432/assay';

describe('the password of the database role of the workers', () => {
  it('is the same whether derived from the database URL of the owner or of the workers', () => {
    const reported = workerPassword(owner, {});
    expect(reported).to.be.a('string').and.not.equal('');
    expect(workerPassword(roleUrl(owner, 'worker'), {})).to.equal(reported);
  });

  it('is the configured password if one is set', () => {
    const set = { WORKER_PASSWORD: 'a password of their own' };
    expect(workerPassword(owner, set)).to.equal(set.WORKER_PASSWORD);
    expect(workerPassword(roleUrl(owner, 'operator'), set)).to.equal(set.WORKER_PASSWORD);
  });

  it('is undefined if only the database URL of the operator is set', () => {
    expect(workerPassword(roleUrl(owner, 'operator'), {})).to.equal(undefined);
  });
});
