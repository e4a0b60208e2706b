/** Returns an error and the errors that caused it, from the outermost to the innermost. */
export function causesOf(error: unknown): (Error & { code?: unknown; detail?: unknown })[] {
  return error instanceof Error ? [error, ...causesOf(error.cause)] : [];
}
