import type { RunRoute } from '../../../run-routes.ts';
import { shellWord } from '../../shell-word.ts';

/**
 * Returns the command with which curl sends a request to the operation of a run. The members of the request go to the
 * path, the query and the body, as the operation declares.
 */
export function curlOf(
  { run, subject, query }: Pick<RunRoute, 'run' | 'subject' | 'query'>,
  request: Readonly<Record<string, unknown>>,
): string {
  const inQuery = Object.keys(query?.properties ?? {});
  const entries = Object.entries(request);
  const search = new URLSearchParams(
    entries
      .filter(([name]) => inQuery.includes(name))
      .map(([name, value]): [string, string] => [name, String(value)]),
  ).toString();
  const body = Object.fromEntries(entries.filter(([name]) => !inQuery.includes(name) && name !== subject));
  const path = (run.submission ?? run.resource).replace(/\{\w+\}/, () =>
    encodeURIComponent(String(request[subject ?? ''] ?? '')),
  );
  return bodyOfCurl(`${path}${search && `?${search}`}`, body);
}

/** Returns the command with which curl sends a body to a path of the API. */
export function bodyOfCurl(path: string, body: unknown): string {
  return [
    `curl -s "$API${path}"`,
    '-H "Authorization: Bearer $KEY"',
    "-H 'Content-Type: application/json'",
    `-d ${shellWord(JSON.stringify(body))}`,
  ].join(' \\\n  ');
}
