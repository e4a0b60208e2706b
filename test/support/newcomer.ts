import type { Page } from 'playwright-core';

/** A link that a page shows: its text, and the words around it, which are its row, its card and the heading of the page. */
type Seen = { index: number; href: string; label: string; context: string };

/** The most links that a newcomer follows before giving up. */
const CLICKS_MAX = 8;

/** Words that name no subject. */
const EMPTY = new Set('and are had has its may not that the this was which why with you your'.split(' '));

/**
 * Goes through the console as a person does who knows a task but not the console: on each page, follows the link whose
 * text has the most words of the task, or else whose surroundings have, and never the same link twice. A word counts if
 * one of the two begins with the other. Returns the number of followed links when `isThere`.
 */
export async function wander(page: Page, task: string, isThere: () => Promise<boolean>): Promise<number> {
  const wanted = wordsOf(task);
  const followed = new Set<string>();
  const path: string[] = [];
  while (!(await isThere())) {
    const links = (await linksOf(page)).filter(({ href }) => !followed.has(href));
    const scored = links.map((link) => ({ ...link, score: scoreOf(link, wanted) }));
    const [best] = scored.toSorted((one, other) => other.score - one.score);
    if (!best || best.score === 0 || followed.size === CLICKS_MAX)
      throw new Error(`a newcomer does not find the way to "${task}": ${path.join(' > ') || 'no link'}`);
    followed.add(best.href);
    path.push(best.label);
    await page.locator('a[href]').nth(best.index).click();
    await page.waitForLoadState();
  }
  return followed.size;
}

/** The score of a link: two for each word of the task in its text, and one for each word only around it. */
function scoreOf({ label, context }: Pick<Seen, 'label' | 'context'>, wanted: readonly string[]): number {
  const [own, around] = [wordsOf(label), wordsOf(context)];
  const isIn = (word: string, words: readonly string[]) =>
    words.some((each) => each.startsWith(word) || word.startsWith(each));
  return wanted.reduce((sum, word) => sum + (isIn(word, own) ? 2 : isIn(word, around) ? 1 : 0), 0);
}

/** Returns the words of a text that name something, without the endings of plurals and verbs. */
function wordsOf(text: string): string[] {
  const words = (text.toLowerCase().match(/[a-z]{3,}/g) ?? []).filter((word) => !EMPTY.has(word));
  return [...new Set(words.map((word) => word.replace(/(?:als?|ions?|ing|es|ed|e|s)$/, '')))].filter(
    (word) => word.length >= 3,
  );
}

/** Reads the links of a page. The text runs in the browser, whose types the tests do not have. */
const LINKS = `(() => {
  const text = (element) => (element?.textContent ?? '').replaceAll(/\\s+/g, ' ');
  return [...document.querySelectorAll('a[href]')].map((each, index) => {
    const isInMain = each.closest('main') !== null;
    const around = isInMain
      ? [each.closest('tr, li'), each.closest('section')?.querySelector('h2'), document.querySelector('main h1')]
      : [each.closest('div')?.querySelector('h2')];
    return {
      index,
      isInMain,
      isShown: each.checkVisibility() && !each.hasAttribute('download') && !each.closest('.crumbs'),
      href: each.getAttribute('href'),
      label: text(each),
      context: around.map(text).join(' '),
    };
  });
})()`;

/** Returns the visible links that lead on to other pages of the console, and not back: those of the content first, then those of the navigation. */
async function linksOf(page: Page): Promise<Seen[]> {
  const links = await page.evaluate<(Seen & { isInMain: boolean; isShown: boolean })[]>(LINKS);
  const shown = links.filter(({ isShown, href }) => isShown && href.startsWith('/console'));
  return [...shown.filter(({ isInMain }) => isInMain), ...shown.filter(({ isInMain }) => !isInMain)];
}
