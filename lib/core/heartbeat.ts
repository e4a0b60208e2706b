import { writeFileSync } from 'node:fs';

const INTERVAL_MS = 5_000;

/**
 * Writes an empty file every 5 seconds while the event loop runs. The age of the file shows the health of a
 * process that has no port.
 */
export function startHeartbeat(file: string | undefined): void {
  if (file === undefined) return;
  const beat = () => writeFileSync(file, '');
  beat();
  setInterval(beat, INTERVAL_MS).unref();
}
