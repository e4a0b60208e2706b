/**
 * Caches the result of `load` and shares it among all callers. The result is valid for `ms` milliseconds from the start
 * of the load. A failure is not cached: only the callers that waited for it receive it.
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
