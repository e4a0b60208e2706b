import { catalog } from '#api/catalog.ts';
import { pages } from '#api/console/pages.ts';
import { recordLists } from '#api/console/records/lists.ts';
import { runs } from '#lib/runs.ts';
import { make } from '../contract/resources.ts';
import type { Backend } from './backends.ts';
import type { Tenancy } from './build.ts';
import type { Console } from './console.ts';
import { createSealedRun } from './sealed-run.ts';

/** The pages of a console: the lists and other pages without parameters. */
export const plainPages = pages
  .map(({ path }) => path)
  .filter((path) => !path.includes(':') && path !== '/console/find');

/**
 * Fills a workspace so that every page of the console has content: a record of each list, and a sealed run of each kind
 * from the examples of its declaration. Returns the uids of the runs, and the records that could not be created.
 */
export async function fillConsole(
  backend: Backend,
  tenancy: Tenancy,
): Promise<{ runs: string[]; faults: string[] }> {
  const faults: string[] = [];
  // A policy on payments denies orders with an unknown currency, so policies are created last.
  const ordered = recordLists.toSorted((one, other) => order(one.place) - order(other.place));
  for (const { place, list } of ordered) {
    const operation = catalog.find(({ key }) => key === list)!;
    await make(backend, operation, tenancy).catch((error: Error) =>
      faults.push(`${place}: ${error.message.slice(0, 200)}`),
    );
  }
  const made: string[] = [];
  // Evidence packs are runs with a record of their own, which the list of packs creates.
  for (const kind of Object.values(runs).filter(({ key }) => key !== 'trust.evidence-packs'))
    made.push(
      await createSealedRun(backend, tenancy, kind as never).catch((error: Error) => {
        faults.push(`${kind.key}: ${error.message.slice(0, 200)}`);
        return '';
      }),
    );
  return { runs: made.filter((uid) => uid !== ''), faults };
}

const order = (place: string): number => (/polic|decision/.test(place) ? 1 : 0);

/** Returns the addresses of the records to which the lists of a session lead, at most one of each kind from each list. */
export async function recordPlaces(console: Console, cookie: string): Promise<string[]> {
  const found = new Set<string>();
  for (const path of plainPages) {
    const text = await (await console.ask(path, { headers: { cookie } })).text();
    const main = text.split('<main')[1] ?? '';
    const seen = new Set<string>();
    for (const [, place = ''] of main.matchAll(
      /<th scope="row"[^>]*>\s*<a[^>]*href="(\/console\/[^"?#]+)"/g,
    )) {
      const kind = place.replace(/[^/]+$/, '') + (/\/([a-z]{3})_\w+$/.exec(place)?.[1] ?? '');
      if (seen.has(kind)) continue;
      seen.add(kind);
      found.add(place);
    }
  }
  return [...found];
}
