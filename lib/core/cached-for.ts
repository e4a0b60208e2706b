/**
 * Returns a function that caches the result of `load` for all its callers. A result is valid for `ms`
 * milliseconds from the start of its load. A failure is not cached: only the callers that waited for this
 * load receive the error.
 */
export function cachedFor<T>(ms: number, load: () => Promise<T>): () => Promise<T> {
  let loaded: Promise<T> | undefined;
  let until = -Infinity;
  return () => {
    if (loaded && performance.now() < until) return loaded;
    const loading = load();
    loaded = loading;
    until = performance.now() + ms;
    loading.catch(() => {
      if (loaded === loading) loaded = undefined;
    });
    return loading;
  };
}
