import { existsSync } from 'node:fs';
import { readFile, statfs } from 'node:fs/promises';
import path from 'node:path';
import manifest from '../../../package.json' with { type: 'json' };
import type { MachineFacts } from './machine.ts';

const PACKAGES = new URL('../../../node_modules/', import.meta.url);

export async function gatherMachine(home: string): Promise<MachineFacts> {
  const place = nearest(home);
  const { bavail, bsize } = await statfs(place);
  return {
    node: process.versions.node,
    nodeTested: manifest.dependencies.node,
    home: { path: place, freeBytes: bavail * bsize },
    packages: await Promise.all(
      Object.entries(manifest.dependencies).map(async ([name, wanted]) => ({
        name,
        wanted,
        installed: await installedVersion(name),
      })),
    ),
  };
}

async function installedVersion(name: string): Promise<string | undefined> {
  const text = await readFile(new URL(`${name}/package.json`, PACKAGES), 'utf8').catch(() => undefined);
  return text === undefined ? undefined : (JSON.parse(text) as { version: string }).version;
}

function nearest(directory: string): string {
  return existsSync(directory) ? directory : nearest(path.dirname(directory));
}
