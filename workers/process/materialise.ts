import { systemClock } from '#lib/core/clock.ts';
import { readConfig } from '#lib/core/config.ts';
import { databaseUrl } from '#lib/database/locate.ts';
import { openOrm } from '#lib/database/orm.ts';
import { materialiseOne, type MaterialiseReport } from '../research/feature-materialisation.ts';

/** A message to the parent process: the progress during the work, then the result. */
export type MaterialiseMessage =
  | { progress: { done: number; total: number } }
  | { report: MaterialiseReport };

/** Entry point of `assay feature materialise`: brings the values of one version of a feature up to date. */
const [workspace, key, mode, version] = process.argv.slice(2) as [
  string,
  string,
  'incremental' | 'full',
  string?,
];
const orm = openOrm(await databaseUrl(readConfig(), 'worker'), 2);
const send = (message: MaterialiseMessage) => process.send?.(message);
try {
  const report = await materialiseOne(orm, {
    workspace,
    key,
    mode,
    clock: systemClock,
    ...(version === undefined ? {} : { version: Number(version) }),
    onProgress: ({ done, total }) => send({ progress: { done, total } }),
  });
  send({ report });
} finally {
  await orm.close();
  process.disconnect?.();
}
