import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { TEST_HOME } from '../cluster.ts';
import { onOneBackend } from '../live.ts';

// Run by the tests of how a run of tests ends, never by itself.
onOneBackend('A test that goes on for ever', () => {
  it('waits for its end', async () => {
    writeFileSync(path.join(TEST_HOME, 'waiting'), '');
    await new Promise(() => setInterval(() => {}, 1_000));
  });
});
