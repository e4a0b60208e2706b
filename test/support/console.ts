import { fork } from 'node:child_process';
import { once } from 'node:events';
import { encryptionKey } from '#lib/core/encryption.ts';
import { operatorPassword, roleUrl } from '#lib/database/roles.ts';
import type { Backend } from './backends.ts';
import { assay } from './cli.ts';

/** A console of a backend, in a process of its own. */
export type Console = {
  url: string;
  /** The id of the process. */
  pid: number;
  /** Sends a request to a path. The cookie of a session and other headers are given as headers. */
  ask(path: string, options?: RequestInit): Promise<Response>;
  /** Signs a person in with a new link, which `issuer` issued if named. Returns the cookie of the session. */
  signIn(person: string, issuer?: string): Promise<string>;
  stop(): Promise<void>;
};

/** Starts the console on the database and queue of a backend. `settings` are further variables of its environment. */
export async function startConsole(
  backend: Backend,
  settings: Readonly<Record<string, string>> = {},
): Promise<Console> {
  const child = fork(new URL('../../api/console/server.ts', import.meta.url), {
    env: {
      ...process.env,
      DATABASE_URL: roleUrl(backend.ownerUrl, 'console'),
      ENCRYPTION_KEY: encryptionKey(undefined, operatorPassword(backend.ownerUrl, {})!).toString('base64'),
      REDIS_URL: backend.redis?.url ?? '',
      CONSOLE_PORT: '0',
      OPS_PORT: '0',
      LOG_LEVEL: 'silent',
      ...settings,
    },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const [message] = (await once(child, 'message')) as [{ url: string }];
  const { url } = message;
  const ask = (path: string, options: RequestInit = {}) =>
    fetch(`${url}${path}`, { redirect: 'manual', ...options });
  return {
    url,
    pid: child.pid!,
    ask,
    async signIn(person, issuer) {
      const by = issuer === undefined ? [] : ['--as', issuer];
      const { json } = await assay(backend, 'person', 'console-link', person, ...by, '--json');
      const secret = new URL(json.link).hash.slice(1);
      const answer = await ask('/console/sign-in', formOf({ link: secret }));
      return answer.headers.get('set-cookie')!.split(';')[0]!;
    },
    async stop() {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
    },
  };
}

/** Returns a form as a page of the console sends it. */
export function formOf(
  fields: Readonly<Record<string, string>>,
  headers: Readonly<Record<string, string>> = {},
): RequestInit {
  return {
    method: 'POST',
    body: new URLSearchParams(fields),
    headers: { 'sec-fetch-site': 'same-origin', ...headers },
  };
}

/** Returns the fields of the first form of a page that is sent to an address beginning with `action`. */
export function fieldsOf(page: string, action: string): Record<string, string> {
  const form = page.split('<form').find((part) => part.includes(`action="${action}`)) ?? '';
  const texts: Readonly<Record<string, string>> = {
    '&quot;': '"',
    '&#39;': "'",
    '&lt;': '<',
    '&gt;': '>',
    '&amp;': '&',
  };
  const plain = (text: string) => text.replace(/&(?:quot|#39|lt|gt|amp);/g, (escape) => texts[escape]!);
  return Object.fromEntries(
    [...form.matchAll(/type="hidden"\s+name="([^"]+)"\s+value="([^"]*)"/g)].map(([, name, value]) => [
      name!,
      plain(value!),
    ]),
  );
}
