import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { TEST_HOME } from '../cluster.ts';
import { onOneBackend } from '../live.ts';

// This file is run only by the tests in `endings.test.ts`.
onOneBackend('A test that never ends', () => {
  it('waits forever', async () => {
    writeFileSync(path.join(TEST_HOME, 'waiting'), '');
    await new Promise(() => setInterval(() => {}, 1_000));
  });
});
