import { closeBackends } from './backends.ts';

/** What mocha runs around all tests: whatever was started for them is ended. */
export const mochaHooks = {
  async afterAll(this: Mocha.Context) {
    this.timeout(60_000);
    await closeBackends();
  },
};
