import type { Em } from '#lib/database/base.ts';
import type { Category } from '../library.ts';
import type { FoundInstallation } from './installation.query.ts';
import { liveInstallations } from './installation.query.ts';
import type { LibraryItem } from './library-item.ts';
import { libraryItems } from './library-items.query.ts';
import { measuredCosts, type MeasuredCost } from './measured-cost.query.ts';

/** An item of the library, its live installation, and the mean cost of its runs, for the current tenant. */
export type FoundItem = {
  item: LibraryItem;
  installed: FoundInstallation | null;
  cost: MeasuredCost | null;
};

export type ItemsQuestion = {
  category?: Category | undefined;
  status?: 'published' | 'deprecated' | undefined;
  /** Search words. Each must be the beginning of a word in the key, the title or the description. */
  words?: string | undefined;
  /** The position of the last item of the previous page. */
  after?: string | undefined;
  limit: number;
};

/** Lists the items that can be installed. Items are ordered by key, with the newest version of a key first. */
export async function findItems(
  em: Em,
  { category, status, words, after, limit }: ItemsQuestion,
): Promise<FoundItem[]> {
  const isWanted = wordMatch(words);
  const page = (await libraryItems(em))
    .filter(
      (item) =>
        item.state !== 'withdrawn' &&
        (category === undefined || item.category === category) &&
        (status === undefined || item.state === status) &&
        isWanted(item) &&
        (after === undefined || positionOf(item) > after),
    )
    .slice(0, limit);
  const keys = [...new Set(page.map(({ key }) => key))];
  const installed = new Map((await liveInstallations(em, keys)).map((each) => [each.installation.key, each]));
  const costs = await measuredCosts(em, keys);
  return page.map((item) => ({
    item,
    installed: installed.get(item.key) ?? null,
    cost: costs.get(item.key) ?? null,
  }));
}

const VERSION_DIGITS = 7;
const VERSIONS = 10 ** VERSION_DIGITS - 1;

/** Returns a text whose order is the order of the library: by key, with the newest version of a key first. */
export function positionOf({ key, version }: Pick<LibraryItem, 'key' | 'version'>): string {
  // A space sorts before every character of a key, so that a key sorts before the keys that begin with it.
  return `${key} ${String(VERSIONS - version).padStart(VERSION_DIGITS, '0')}`;
}

function wordMatch(words: string | undefined): (item: LibraryItem) => boolean {
  const wanted = wordsOf(words ?? '');
  return ({ key, definition: { title, description } }) => {
    const own = wordsOf(`${key} ${title} ${description}`);
    return wanted.every((word) => own.some((each) => each.startsWith(word)));
  };
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}
