import { backend, backendNames, type Backend } from './backends.ts';

/** Defines the same live tests on every queue backend that is there. */
export function onEachBackend(title: string, define: (this: Mocha.Suite, live: () => Backend) => void): void {
  for (const name of backendNames) onBackend(name, `${title} (queue on ${name})`, define);
}

/** Defines live tests of what does not touch the queue: they would be the same on another one. */
export function onOneBackend(title: string, define: (this: Mocha.Suite, live: () => Backend) => void): void {
  onBackend(backendNames[0]!, title, define);
}

function onBackend(
  name: (typeof backendNames)[number],
  title: string,
  define: (this: Mocha.Suite, live: () => Backend) => void,
): void {
  describe(title, function () {
    let running: Backend;
    before(async function () {
      this.timeout(60_000);
      running = await backend(name);
    });
    define.call(this, () => running);
  });
}
