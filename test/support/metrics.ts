/**
 * Returns the value of the metric with these labels, read from the text format of Prometheus; undefined if
 * there is no such metric.
 */
export async function metricOf(
  opsUrl: string,
  name: string,
  labels: Readonly<Record<string, string>> = {},
): Promise<number | undefined> {
  const text = await (await fetch(`${opsUrl}/metrics`)).text();
  for (const line of text.split('\n')) {
    const [, found, list = '', value] = /^(\w+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
    if (found !== name) continue;
    const has = new Map([...list.matchAll(/(\w+)="([^"]*)"/g)].map((match) => [match[1], match[2]]));
    if (Object.entries(labels).every(([label, wanted]) => has.get(label) === wanted)) return Number(value);
  }
  return undefined;
}
