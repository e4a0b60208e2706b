import { SingleBar } from 'cli-progress';
import { systemClock } from '#lib/core/clock.ts';
import { materialise } from '#lib/data/feature/materialise.repository.ts';
import { versionToTell } from '#lib/data/feature/version.repository.ts';
import { asOperator } from './operator.ts';
import { print, type OutputOptions } from './output.ts';
import { Refusal } from './refusal.ts';

type Options = OutputOptions & { workspace: string; full?: true; number?: string };

/** Materialises a version of a feature here and now, and shows how far it is. */
export async function materialiseFeature(key: string, options: Options): Promise<void> {
  const { workspace, full, number } = options;
  const version = number === undefined ? undefined : Number(number);
  if (version !== undefined && !Number.isSafeInteger(version)) {
    throw new Refusal('unknown_version', '--number takes the number of a version');
  }
  const bar = options.json || !process.stderr.isTTY ? undefined : progressBar();
  try {
    const told = await asOperator(async (operator) => {
      const found = await operator.everywhere((em) =>
        versionToTell(em, { workspace, key, ...(version === undefined ? {} : { version }) }),
      );
      if (!found) {
        const reason = `the workspace has no such version of ${key}, or is not entitled to its dataset any more`;
        throw new Refusal('feature_unknown', reason);
      }
      const made = await materialise((work) => operator.inWorkspace(workspace, work), found, {
        mode: full ? 'full' : 'incremental',
        clock: systemClock,
        onProgress: ({ done, total }) => bar?.show(done, total),
      });
      if (!made) throw new Refusal('materialisation_under_way', `${key} is being materialised already`);
      return { version: found.version, ...made };
    });
    const { uid, version: number_told, mode, total, written } = told;
    bar?.stop();
    print({ uid, key, version: number_told, mode, entities: total, rows_written: written }, options);
  } finally {
    bar?.stop();
  }
}

function progressBar() {
  const bar = new SingleBar({ format: '{bar} {value}/{total} entities', clearOnComplete: true });
  return {
    show: (done: number, total: number) => (bar.isActive ? bar.update(done) : bar.start(total, done)),
    stop: () => bar.stop(),
  };
}
