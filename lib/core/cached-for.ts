/** What `load` gives, shared by all who ask within `ms` after it was asked for; a failure is for those who waited alone. */
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
