import { backend, backendNames, type Backend } from './backends.ts';

/** Defines the same live tests on every queue backend that is there. */
export function onEachBackend(title: string, define: (this: Mocha.Suite, live: () => Backend) => void): void {
  for (const name of backendNames) {
    describe(`${title} (queue on ${name})`, function () {
      let running: Backend;
      before(async function () {
        this.timeout(60_000);
        running = await backend(name);
      });
      define.call(this, () => running);
    });
  }
}
