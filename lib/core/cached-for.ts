/**
 * Caches the result of `load` for `ms` from its start and shares it among all callers. A failure is only
 * reported to the callers that waited for it.
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
