import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** A link of a page to another file of the project, or to a heading. */
export type Link = { page: string; target: string; file: string; anchor: string | undefined };

/** Returns every page that a person reads. */
export const allPages = () => [
  'README.md',
  'SECURITY.md',
  'CONTRIBUTING.md',
  'test/README.md',
  ...globSync('docs/**/*.md').sort(),
];

/** Returns the links of a page into the project. Links to other sites are not checked. */
export function linksOf(page: string, source = readFileSync(page, 'utf8')): Link[] {
  const prose = withoutCode(source);
  return [...prose.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target]) => target!)
    .filter((target) => !/^[a-z]+:/.test(target))
    .map((target) => {
      const [file = '', anchor] = target.split('#');
      return { page, target, file: file === '' ? page : path.join(path.dirname(page), file), anchor };
    });
}

/**
 * Returns the anchors of a page as GitHub creates them: one for each heading, numbered if a heading repeats.
 */
export function anchorsOf(page: string, source = readFileSync(page, 'utf8')): Set<string> {
  const seen = new Map<string, number>();
  const anchors = new Set<string>();
  for (const [, heading] of withoutBlocks(source).matchAll(/^#{1,6} (.+)$/gm)) {
    const text = heading!.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase();
    const slug = text.replaceAll(/[^\p{L}\p{N}\s_-]/gu, '').replaceAll(' ', '-');
    const times = seen.get(slug) ?? 0;
    seen.set(slug, times + 1);
    anchors.add(times === 0 ? slug : `${slug}-${times}`);
  }
  return anchors;
}

/** Returns the links whose file or anchor does not exist. */
export function deadLinks(pages: readonly string[]): string[] {
  return pages
    .flatMap((page) => linksOf(page))
    .filter(({ file, anchor }) => !existsSync(file) || (anchor !== undefined && !anchorsOf(file).has(anchor)))
    .map(({ page, target }) => `${page}: ${target}`);
}

/** Returns the pages that cannot be reached by links from the first page. */
export function unlinkedPages(pages: readonly string[], first: string): string[] {
  const reached = new Set([first]);
  for (const page of reached) {
    for (const { file } of linksOf(page)) if (pages.includes(file)) reached.add(file);
  }
  return pages.filter((page) => !reached.has(page));
}

function withoutBlocks(source: string): string {
  return source.replaceAll(/^```[\s\S]*?^```$/gm, '');
}

function withoutCode(source: string): string {
  return withoutBlocks(source).replaceAll(/`[^`\n]*`/g, '`');
}
