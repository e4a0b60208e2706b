import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect } from 'chai';
import { cellOf, readDirectory, setCell, type Directory } from '#lib/cells/directory.ts';
import { configurationOf, mapOf } from '#lib/cells/haproxy.ts';

const WORKSPACE = `wsp_${'0'.repeat(25)}1`;
const directory: Directory = {
  default: 'a',
  cells: {
    a: { address: 'https://a.example', servers: ['10.0.0.1:3000', '10.0.0.2:3000'] },
    b: { address: 'https://b.example', servers: ['10.0.0.3:3000'] },
  },
  workspaces: {},
};

describe('The directory of cells', () => {
  let folder: string;
  let file: string;

  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'assay-directory-'));
    file = path.join(folder, 'cells.json');
    await writeFile(file, JSON.stringify(directory));
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('has a workspace in the default cell until it is set', async () => {
    expect(cellOf(await readDirectory(file), WORKSPACE)).to.equal('a');
    await setCell(file, WORKSPACE, 'b');
    const read = await readDirectory(file);
    expect(cellOf(read, WORKSPACE)).to.equal('b');
    expect(read.cells).to.deep.equal(directory.cells);
    expect(await readdir(folder)).to.deep.equal(['cells.json']);
  });

  const faults: [string, unknown][] = [
    ['text that is not JSON', '{'],
    ['a default cell that it does not describe', { ...directory, default: 'c' }],
    ['a workspace in a cell that it does not describe', { ...directory, workspaces: { [WORKSPACE]: 'c' } }],
    [
      'a cell whose name HAProxy would misread',
      { ...directory, cells: { ...directory.cells, 'x y': directory.cells['a'] } },
    ],
    [
      'a server with a line break',
      { ...directory, cells: { a: { address: 'https://a.example', servers: ['a:1\nb'] } } },
    ],
    [
      'an address with a path',
      { ...directory, cells: { a: { address: 'https://a.example/x', servers: ['a:1'] } } },
    ],
    ['an unknown member', { ...directory, spare: 1 }],
  ];
  for (const [title, content] of faults) {
    it(`is refused with ${title}`, async () => {
      await writeFile(file, typeof content === 'string' ? content : JSON.stringify(content));
      const read = await readDirectory(file).catch((error: { code: string }) => error.code);
      expect(read).to.equal('directory_invalid');
    });
  }

  it('gives HAProxy a backend for each cell, and a line of the map for each credential outside the default cell', () => {
    const text = configurationOf(directory, { bind: ':8080', folder: '/etc/haproxy' });
    expect(text.match(/^backend \w+$/gm)).to.deep.equal(['backend cell_a', 'backend cell_b']);
    expect(text.match(/^ {2}server .*$/gm)).to.have.length(3);
    expect(text).to.include('map_str(/etc/haproxy/cells.map,cell_a)').and.include('bind :8080');
    const map = mapOf(
      [
        { id: 'svc_test_zzzzzzzzzz', cell: 'b' },
        { id: 'svc_live_0000000000', cell: 'a' },
        { id: 'cli_1', cell: 'b' },
      ],
      directory,
    );
    expect(map).to.equal('cli_1 cell_b\nsvc_test_zzzzzzzzzz cell_b\n');
  });
});
