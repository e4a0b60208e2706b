/**
 * A member that differs between two JSON values: its path, and both values. The value is undefined if the member is
 * missing.
 */
export type Difference = { path: string; first: unknown; second: unknown };

/** The largest number of differences that are found. */
const FOUND_MAX = 5_000;

/** Returns the members that differ between two JSON values, in the order of the first value, then of the second. */
export function differences(first: unknown, second: unknown): Difference[] {
  const found: Difference[] = [];
  collect(first, second, '', found);
  return found;
}

function collect(first: unknown, second: unknown, path: string, found: Difference[]): void {
  if (found.length >= FOUND_MAX || Object.is(first, second)) return;
  if (!isObject(first) || !isObject(second) || Array.isArray(first) !== Array.isArray(second)) {
    found.push({ path: path || '/', first, second });
    return;
  }
  for (const name of new Set([...Object.keys(first), ...Object.keys(second)]))
    collect(memberOf(first, name), memberOf(second, name), `${path}/${name}`, found);
}

/** Returns a member of the object itself. A name such as `__proto__` does not return an inherited member. */
function memberOf(value: Readonly<Record<string, unknown>>, name: string): unknown {
  return Object.hasOwn(value, name) ? value[name] : undefined;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
