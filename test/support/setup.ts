import { closeBackends } from './backends.ts';
import { closeHosts } from './cli-hosts.ts';
import { printFaultTable } from './fault-table.ts';

const EXIT_WITHIN_MS = 15_000;

/** What mocha runs around all tests: whatever was started for them is ended. */
export const mochaHooks = {
  async afterAll(this: Mocha.Context) {
    this.timeout(60_000);
    await closeHosts();
    await closeBackends();
    printFaultTable();
    // A connection that a test left open would keep the process for ever; it is a fault of the test, so it fails.
    setTimeout(() => {
      process.stderr.write(`tests left open: ${process.getActiveResourcesInfo().join(', ')}\n`);
      process.exit(1);
    }, EXIT_WITHIN_MS).unref();
  },
};
