import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Command } from 'commander';
import { readConfig } from '#lib/core/config.ts';
import { pollUntil } from '#lib/core/poll.ts';
import { Refusal } from '#lib/core/refusal.ts';

const WAIT_S = 20;
const PAUSE_MS = 200;

/** The running service that a command calls, and the file with the API key. */
export type ServiceOptions = { url?: string; keyFile?: string };

/** Adds the options of `ServiceOptions` to a command. */
export function withService(command: Command): Command {
  return command
    .option('--url <url>', 'the URL of the service (default: this machine, at PORT)')
    .option('--key-file <file>', 'a file with the API key (default: the key file of the demo)');
}

/** A run as the service returns it. */
type Answered = {
  uid: string;
  state: string;
  problem?: { code: string; detail: string } | null;
};

/** A running service, and the key of the caller. */
export type Service = { base: string; key: string };

/**
 * A run to submit: the path of its resource below the URL of the service, its query and body, and the attachments that
 * the response includes.
 */
export type Submission = {
  resource: string;
  query?: Record<string, string>;
  body: object;
  include?: string;
};

/** Submits a run to the service that the options name, as `runAt` does. */
export async function runOnService<Sealed>(options: ServiceOptions, run: Submission): Promise<Sealed> {
  return runAt<Sealed>(await serviceOf(options), run);
}

/**
 * Submits a run to the running service, waits until it is sealed, and returns it. Throws a refusal with the code of the
 * problem if the service refuses the run or does not answer.
 */
export async function runAt<Sealed>(
  { base, key }: Service,
  { resource, query = {}, body, include }: Submission,
): Promise<Sealed> {
  const submitted = await ask(`${base}${resource}?${new URLSearchParams(query)}`, key, body);
  const where = `${base}${resource}/${submitted.uid}?${include ? `include=${include}&` : ''}`;
  const isOver = ({ state }: Answered) => state !== 'queued' && state !== 'running';
  const answer = isOver(submitted)
    ? submitted
    : await pollUntil(() => ask(`${where}wait=${WAIT_S}`, key), isOver, { everyMs: PAUSE_MS });
  if (answer.problem) throw new Refusal(answer.problem.code, answer.problem.detail);
  if (answer.state === 'cancelled') throw new Refusal('run_cancelled', `the run ${answer.uid} was cancelled`);
  // The service checked the members against the declaration of the run before it sealed them.
  return (await ask(where, key)) as Answered & Sealed;
}

/** Reads a resource of the running service. Throws a refusal as `runOnService` does. */
export async function readOnService<Resource>(options: ServiceOptions, resource: string): Promise<Resource> {
  const { base, key } = await serviceOf(options);
  return (await ask(`${base}${resource}`, key)) as Resource;
}

/** Sends a body to an operation of the running service. Throws a refusal as `runOnService` does. */
export async function sendToService<Answer>(
  options: ServiceOptions,
  resource: string,
  body: object,
): Promise<Answer> {
  const { base, key } = await serviceOf(options);
  return (await ask(`${base}${resource}`, key, body)) as Answer;
}

async function serviceOf({ url, keyFile }: ServiceOptions): Promise<Service> {
  const config = readConfig();
  const base = url ?? `http://${config.HOST}:${config.PORT ?? 3000}`;
  return { base, key: await apiKey(keyFile ?? path.join(config.ASSAY_HOME, 'demo.json')) };
}

async function ask(url: string, key: string, body?: object): Promise<Answered> {
  const response = await fetch(url, {
    method: body ? 'POST' : 'GET',
    headers: { authorization: `Bearer ${key}`, ...(body ? { 'content-type': 'application/json' } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
  }).catch(() => {
    throw new Refusal('service_away', `nothing answers at ${new URL(url).origin}; start it, or give --url`);
  });
  const answer = (await response.json()) as Answered & { code: string; detail: string };
  if (!response.ok) throw new Refusal(answer.code, answer.detail);
  return answer;
}

/** Reads the API key from a file that contains the JSON document of the demo, or only the key. */
async function apiKey(file: string): Promise<string> {
  const text = await readFile(file, 'utf8').catch(() => {
    throw new Refusal('key_file_unreadable', `cannot read ${file}; --key-file takes a file with an API key`);
  });
  return text.startsWith('{') ? (JSON.parse(text) as { api_key: string }).api_key : text.trim();
}
