import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { blocksOf, commandsOf, pagesWithBlocks } from './blocks.ts';
import { joinPython } from './python.ts';
import { allPages, anchorsOf, deadLinks, linksOf, unlinkedPages } from './links.ts';

describe('the documents', () => {
  const pages = allPages();

  it('have no dead link and no dead anchor', () => {
    expect(deadLinks(pages)).to.deep.equal([]);
  });

  it('have no page that cannot be reached from README', () => {
    expect(unlinkedPages(pages, 'README.md')).to.deep.equal([]);
  });

  it('begin with a README of at most 180 lines', () => {
    expect(readFileSync('README.md', 'utf8').trimEnd().split('\n').length).to.be.at.most(180);
  });

  // The blocks themselves are run in test/full/documents.test.ts.
  it('state for each block whether the tests run it', () => {
    const blocks = pagesWithBlocks().flatMap((page) => blocksOf(page));
    expect(blocks.length).to.be.greaterThan(50);
    for (const block of blocks) expect(commandsOf(block), `${block.page}:${block.line}`).to.be.greaterThan(0);
  });
});

// Each check is run on the fault that it exists to find, because a check that cannot fail proves nothing.
describe('the checks of the documents', () => {
  it('find links outside of code and resolve them from the folder of the page', () => {
    const source =
      '[one](../a.md#b) `[two](c.md)`\n\n```md\n[three](d.md)\n```\n[four](https://example.com) [five](#e)';
    expect(linksOf('docs/x/y.md', source).map(({ file, anchor }) => `${file} ${anchor}`)).to.deep.equal([
      'docs/a.md b',
      'docs/x/y.md e',
    ]);
  });

  it('derive anchors from headings outside of code and number repeated anchors', () => {
    const source = '# A `b`, c!\n\n## [Link](x.md) two\n\n```sh\n# no heading\n```\n\n## Same\n\n## Same';
    expect([...anchorsOf('x.md', source)]).to.deep.equal(['a-b-c', 'link-two', 'same', 'same-1']);
  });

  it('accept only known markers after a code fence', () => {
    const source = '```sh\na\n```\n```sh refused\nb\n```\n```sh not run: why\nc\n```\n```text\nd\n```';
    expect(
      blocksOf('x.md', source).map(({ line, text, isRefused, skipped }) => [line, text, isRefused, skipped]),
    ).to.deep.equal([
      [1, 'a', false, undefined],
      [4, 'b', true, undefined],
      [7, 'c', false, 'why'],
    ]);
    expect(() => blocksOf('x.md', '```sh later\na\n```')).to.throw(/later/);
    expect(() => blocksOf('x.md', '```sh\na')).to.throw(/does not end/);
  });

  it('join the Python blocks of a page into one program and skip blocks whose module is not installed', () => {
    const source =
      '```sh\na\n```\n```python\nb\n```\n```python needs no_such\nc\n```\n```python\nd\n```\n```sh\ne\n```';
    const joined = joinPython(blocksOf('x.md', source), '/usr/bin/python3');
    expect(joined.map(({ line, skipped }) => [line, skipped])).to.deep.equal([
      [1, undefined],
      [7, 'Python lacks no_such'],
      [4, undefined],
      [13, undefined],
    ]);
    expect(joined[2]!.text).to.equal(
      'cat > page.py <<\'END_OF_PAGE\'\n# x.md:4\nb\n\n# x.md:10\nd\nEND_OF_PAGE\n"/usr/bin/python3" page.py',
    );
    const without = joinPython(blocksOf('x.md', '```python\nb\n```'), null);
    expect(without[0]!.skipped).to.equal('Python lacks requests or pandas');
  });

  it('count a line and its continuation lines as one command', () => {
    const [block] = blocksOf('x.md', '```sh\n# comment\na \\\n  b\n\nc\n```');
    expect(commandsOf(block!)).to.equal(2);
  });
});
