import type { RunKind } from '#lib/core/run.ts';

/** A figure of a sealed run. Null if the sealed members do not contain it. */
export type HeadlineFigure = { name: string; value: number | string | null; unit: string };

/**
 * Returns the figures of a run that are shown in lists, read from its sealed members. Throws if a pointer leads to
 * anything other than a number, a text or null, because lists show nothing larger.
 *
 * Example: the pointer `/result/cva` reads 12 from `{ result: { cva: 12 } }`.
 */
export function headlineOf(
  { key, headline = [] }: Pick<RunKind, 'key' | 'headline'>,
  members: Readonly<Record<string, unknown>>,
): HeadlineFigure[] {
  return headline.map(({ name, unit, pointer }) => {
    const value = valueAt(members, pointer) ?? null;
    if (value !== null && typeof value !== 'number' && typeof value !== 'string') {
      throw new Error(`the headline ${name} of ${key} is neither a number nor a text`);
    }
    return { name, value, unit };
  });
}

/** Returns the value at a JSON pointer (RFC 6901); undefined if there is none. */
function valueAt(root: unknown, pointer: string): unknown {
  const names = pointer.split('/').slice(1);
  return names
    .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<unknown>((value, name) => {
      const isHeld = typeof value === 'object' && value !== null && Object.hasOwn(value, name);
      return isHeld ? (value as Record<string, unknown>)[name] : undefined;
    }, root);
}
