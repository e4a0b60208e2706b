import { readKnownAt } from './instant.ts';
import type { Report } from './row-reader.ts';

/** Reads the `known_at` of an observation. This moment must not be before the observed day. */
export function readStated(
  text: string,
  { now, observedOn }: { now: Date; observedOn: string },
  refuse: Report,
): string | undefined {
  const instant = readKnownAt(text, now);
  if (typeof instant !== 'string' && instant.date >= observedOn) return instant.text;
  refuse(
    'known_at',
    text,
    typeof instant === 'string' ? instant : `is before the observed day, ${observedOn}`,
  );
  return undefined;
}
