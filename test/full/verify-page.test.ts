import { execFile, spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { keySetOf, signedPack } from '../support/signed-pack.ts';
import { VERIFY_PAGE } from '../support/verify-page.ts';

const run = promisify(execFile);
const BROWSER = 'chromium';

// The page is tested in a browser, because a browser has its own WebCrypto, and only there can a person drop
// files and see the result.
describe('the page that verifies evidence packs, in a browser', function () {
  let folder: string;

  before(async function () {
    if (spawnSync(BROWSER, ['--version']).status !== 0) this.skip();
    folder = await mkdtemp(path.join(tmpdir(), 'assay-page-'));
  });
  after(async () => {
    if (folder) await rm(folder, { recursive: true });
  });

  /** Drops files with these contents on the page, and returns the text that a person then sees. */
  async function verdictOn(...texts: string[]): Promise<string> {
    const page = await readFile(VERIFY_PAGE, 'utf8');
    const drop = `<script>
      const data = new DataTransfer();
      for (const text of ${JSON.stringify(texts).replaceAll('<', '\\u003c')}) data.items.add(new File([text], 'a.json'));
      document.querySelector('#drop').dispatchEvent(new DragEvent('drop', { dataTransfer: data }));
    </script></body>`;
    const file = path.join(folder, 'page.html');
    await writeFile(
      file,
      page.replace('</body>', () => drop),
    );
    const words = ['--headless', '--no-sandbox', '--disable-gpu', `--user-data-dir=${folder}/profile`];
    const { stdout } = await run(BROWSER, [
      ...words,
      '--virtual-time-budget=20000',
      '--dump-dom',
      `file://${file}`,
    ]);
    return /<p id="verdict"[^>]*>([^<]*)</.exec(stdout)?.[1] ?? '';
  }

  it('shows that a pack is valid and names the key that signed the pack', async () => {
    const pack = JSON.stringify(signedPack());
    expect(await verdictOn(pack)).to.match(/^The pack is valid. It is signed by a key that was not compared/);
    expect(await verdictOn(pack, keySetOf())).to.match(
      /^The pack is valid. It is signed by a published key\.$/,
    );
  });

  it('shows the fault of an invalid pack', async () => {
    expect(await verdictOn(JSON.stringify({ ...signedPack(), sequence: 3 }))).to.match(
      /^The pack is not valid \(seal\)/,
    );
  });
});
