import { backend, backendNames, usualBackendNames, type Backend } from './backends.ts';
import { eventually } from './runs.ts';

/** Defines the same live tests once for every available queue backend. */
export function onEachBackend(title: string, define: (this: Mocha.Suite, live: () => Backend) => void): void {
  for (const name of backendNames) onBackend(name, `${title} (queue on ${name})`, define);
}

/**
 * Defines live tests that do not depend on the queue backend. They run on one backend, or on all available
 * backends with `npm run test:full -- --all`.
 */
export function onOneBackend(title: string, define: (this: Mocha.Suite, live: () => Backend) => void): void {
  for (const name of usualBackendNames) onBackend(name, title, define);
}

function onBackend(
  name: (typeof backendNames)[number],
  title: string,
  define: (this: Mocha.Suite, live: () => Backend) => void,
): void {
  describe(title, function () {
    let running: Backend;
    before(async () => {
      running = await backend(name);
      await eventually(() => isWhole(running));
    });
    define.call(this, () => running);
  });
}

/** Whether every part is ready. A part that an earlier test has ended may still be restarting. */
async function isWhole({ opsUrls }: Backend): Promise<boolean> {
  const answers = [...opsUrls.values()].map((url) =>
    fetch(`${url}/readyz`).then(({ status }) => status === 200),
  );
  return (await Promise.all(answers).catch(() => [false])).every(Boolean);
}
