import { expect } from 'chai';
import { membershipKind } from '#lib/actions/authority/role.ts';

const PERSON = 'per_01M7ZGZ1RHF9DA2PA5JM4HHZJ4';

describe('the key of a membership', () => {
  it('differs for each pair of role and person, for role names of any length', () => {
    const keys = [1, 33, 34, 63, 64].flatMap((length) =>
      ['a', 'b'].flatMap((end) =>
        [PERSON, PERSON.replace('M7', 'M8')].map((person_uid) =>
          membershipKind.keyOf!({ role: `${'r'.repeat(length - 1)}${end}`, person_uid }),
        ),
      ),
    );
    expect(new Set(keys).size).to.equal(20);
    for (const key of keys) expect(key.length).to.be.at.most(64);
  });
});
