const seen = new WeakMap<object, number>();

/** Returns how often this thread has received the same object as input, and whether the data came with it. */
export function compute(input: { data: string }, data: { name: string }) {
  const times = (seen.get(input) ?? 0) + 1;
  seen.set(input, times);
  return { ok: true, output: { result: { times, isOwn: data.name === input.data } }, attachments: {} };
}
