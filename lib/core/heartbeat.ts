import { writeFileSync } from 'node:fs';

const INTERVAL_MS = 5_000;

/** Touches a file while the event loop runs, so that the health of processes without a port can be checked. */
export function startHeartbeat(file: string | undefined): void {
  if (file === undefined) return;
  const beat = () => writeFileSync(file, '');
  beat();
  setInterval(beat, INTERVAL_MS).unref();
}
