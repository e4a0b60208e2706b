import { readFileSync, readdirSync } from 'node:fs';
import { expect } from 'chai';
import { referencePages } from './reference/pages.ts';

describe('the reference', () => {
  // A page that was not regenerated after a change describes an older version.
  it('matches the output of `npm run reference`', async () => {
    for (const [file, text] of Object.entries(await referencePages())) {
      expect(readFileSync(file, 'utf8') === text, `${file} differs: run npm run reference`).to.equal(true);
    }
  });

  it('has no page that `npm run reference` does not write', async () => {
    const printed = Object.keys(await referencePages());
    const files = readdirSync('docs/reference').map((name) => `docs/reference/${name}`);
    expect(files.filter((file) => !printed.includes(file))).to.deep.equal([]);
  });
});
