import { readFile } from 'node:fs/promises';
import { parse } from 'yaml';

export type ComposeService = {
  image?: string;
  command?: string[];
  environment?: Record<string, string>;
  depends_on?: Record<string, { condition: string }>;
  healthcheck?: { test: string[] };
  volumes?: string[];
  profiles?: string[];
  restart?: string;
  read_only?: boolean;
  cap_drop?: string[];
};

export type Compose = { services: Record<string, ComposeService>; volumes: Record<string, unknown> };

/**
 * Reads `docker/compose.yaml` with its anchors resolved and its variables replaced; an unset `${NAME:?...}`
 * throws.
 */
export async function readCompose(variables: Record<string, string>): Promise<Compose> {
  const compose = parse(await readFile('docker/compose.yaml', 'utf8'), { merge: true }) as Compose;
  return replace(compose, variables) as Compose;
}

function replace(value: unknown, variables: Record<string, string>): unknown {
  if (typeof value === 'string') {
    return value.replace(/\$\{(\w+)(?::([?-])([^}]*))?\}/g, (_, name: string, kind: string, text: string) => {
      if (variables[name] !== undefined) return variables[name];
      if (kind === '-') return text;
      throw new Error(`${name}: ${text}`);
    });
  }
  if (Array.isArray(value)) return value.map((each) => replace(each, variables));
  if (value && typeof value === 'object') {
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, replace(each, variables)]));
  }
  return value;
}
