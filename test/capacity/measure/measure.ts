import { cpus, loadavg, totalmem } from 'node:os';
import type { BackendName } from '../../support/backends.ts';
import type { Measured } from '../measured.ts';
import { measureActions } from './actions.ts';
import { measureImport } from './imports.ts';
import { openPlace } from './place.ts';
import { measureComputedRuns, measurePlainRuns } from './runs.ts';

/** Measures every unit on this machine, one kind after the other. */
export async function measure(options: {
  queue: BackendName;
  quick: boolean;
  notify(line: string): void;
}): Promise<Measured> {
  const loadBefore = loadavg()[0]!;
  const place = await openPlace(options);
  try {
    const plain = await measurePlainRuns(place);
    const computed = await measureComputedRuns(place);
    const actions = await measureActions(place);
    const imported_price = await measureImport(place);
    const version = await place.asSuperuser('postgres', (client) => client.query('show server_version'));
    return {
      measured_at: new Date().toISOString(),
      machine: {
        processor: cpus()[0]?.model ?? 'unknown',
        cores: cpus().length,
        memoryGb: round(totalmem() / 1e9),
        node: process.version,
        postgres: version.rows[0].server_version,
        load: { before: round(loadBefore), after: round(loadavg()[0]!) },
      },
      queue: options.queue,
      quick: options.quick,
      costs: { ...plain, ...computed.costs, ...actions, imported_price },
      footprint: computed.footprint,
    };
  } finally {
    await place.close();
  }
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
