import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { TEST_HOME } from '../cluster.ts';
import { onOneBackend } from '../live.ts';

// `test/full/endings.test.ts` runs this file. It is not part of the test suite.
onOneBackend('A test that never ends', () => {
  it('waits forever', async () => {
    writeFileSync(path.join(TEST_HOME, 'waiting'), '');
    await new Promise(() => setInterval(() => {}, 1_000));
  });
});
