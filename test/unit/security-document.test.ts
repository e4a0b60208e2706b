import { existsSync, readFileSync } from 'node:fs';
import { expect } from 'chai';

describe('SECURITY.md', () => {
  const text = readFileSync('SECURITY.md', 'utf8');

  it('names at least 30 files, all of which exist', () => {
    const named = [...text.matchAll(/`((?:api|lib|workers|test|docker)\/[^`*]+)`/g)].map(([, file]) => file!);
    expect(named).to.have.length.of.at.least(30);
    expect(named.filter((file) => !existsSync(file))).to.deep.equal([]);
  });

  it('has at most 200 lines', () => expect(text.split('\n').length).to.be.at.most(200));
});
