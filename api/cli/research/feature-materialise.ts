import { SingleBar } from 'cli-progress';
import { runToEnd } from '../../process/child.ts';
import { asOperator } from '../shell/operator.ts';
import { print, type OutputOptions } from '../shell/output.ts';
import { Refusal } from '#lib/core/refusal.ts';

type Options = OutputOptions & { workspace: string; full?: true; number?: string };

/** A message from the worker's process. */
type Message = {
  progress?: { done: number; total: number };
  report?: {
    ok: boolean;
    code?: string;
    version?: number;
    materialised?: { uid: string; mode: string; total: number; written: number };
  };
};

const refusals: Readonly<Record<string, string>> = {
  feature_unknown: 'the workspace has no such feature or version, or may no longer read its dataset',
  entitlement_missing: 'the data entitlements do not permit to derive features from its dataset',
  materialisation_under_way: 'another process is already materialising it',
};

/** Materialises a version of a feature in a child process, and shows its progress. */
export async function materialiseFeature(key: string, options: Options): Promise<void> {
  const { workspace, full, number } = options;
  if (number !== undefined && !/^[1-9]\d{0,5}$/.test(number)) {
    throw new Refusal('unknown_version', '--number takes a version number');
  }
  const bar = options.json || !process.stderr.isTTY ? undefined : progressBar();
  const words = [workspace, key, full ? 'full' : 'incremental', ...(number === undefined ? [] : [number])];
  const report = await asOperator(() =>
    inWorker(words, ({ done, total }) => bar?.show(done, total)).finally(() => bar?.stop()),
  );
  if (!report)
    throw new Refusal('materialisation_failed', 'the materialisation ended early; see `assay feature show`');
  if (!report.ok) throw new Refusal(report.code!, refusals[report.code!]!);
  const { uid, mode, total, written } = report.materialised!;
  print({ uid, key, version: report.version, mode, entities: total, rows_written: written }, options);
}

async function inWorker(
  words: readonly string[],
  onProgress: (progress: { done: number; total: number }) => void,
) {
  let report: Message['report'];
  await runToEnd('workers/process/materialise.ts', words, (message) => {
    const received = message as Message;
    if (received.progress) onProgress(received.progress);
    report ??= received.report;
  });
  return report;
}

function progressBar() {
  const bar = new SingleBar({ format: '{bar} {value}/{total} entities', clearOnComplete: true });
  return {
    show: (done: number, total: number) => (bar.isActive ? bar.update(done) : bar.start(total, done)),
    stop: () => bar.stop(),
  };
}
