import { globSync, readFileSync } from 'node:fs';

/** A block of shell or Python in a page, as a reader would paste it. */
export type Block = {
  page: string;
  language: 'sh' | 'python';
  /** The line number of the fence. */
  line: number;
  text: string;
  /** Whether each command of the block must be refused, because the page demonstrates a control. */
  isRefused: boolean;
  /** The reason why a test cannot run the block, or undefined if a test can run it. */
  skipped: string | undefined;
  /** The Python module that this block needs and other Python blocks do not. */
  needs: string | undefined;
};

/** Returns the pages whose blocks are run. */
export const pagesWithBlocks = () => ['README.md', ...globSync('docs/{guides,operate,develop}/*.md').sort()];

/**
 * Returns the blocks of a page in order. The fence marks exceptions: "sh refused" for commands that must be
 * refused, "not run: <reason>" for blocks that a test cannot run, and "python needs <module>" for blocks that
 * need a module.
 */
export function blocksOf(page: string, source = readFileSync(page, 'utf8')): Block[] {
  const blocks: Block[] = [];
  let open: { line: number; fence: string; lines: string[] } | undefined;
  for (const [at, line] of source.split('\n').entries()) {
    if (open === undefined) {
      if (line.startsWith('```')) open = { line: at + 1, fence: line.slice(3), lines: [] };
    } else if (line === '```') {
      const [, language, rest = ''] = /^(\w*) ?(.*)$/.exec(open.fence)!;
      if (language === 'sh' || language === 'python') {
        blocks.push({
          page,
          language,
          line: open.line,
          text: open.lines.join('\n'),
          isRefused: language === 'sh' && rest === 'refused',
          skipped: /^not run: (.+)$/.exec(rest)?.[1],
          needs: language === 'python' ? /^needs (\w+)$/.exec(rest)?.[1] : undefined,
        });
        const { isRefused, skipped, needs } = blocks.at(-1)!;
        if (rest !== '' && !isRefused && skipped === undefined && needs === undefined) {
          throw new Error(
            `${page}:${open.line}: a fence may say "refused", "needs <module>" or "not run: <reason>", not "${rest}"`,
          );
        }
      }
      open = undefined;
    } else open.lines.push(line);
  }
  if (open !== undefined) throw new Error(`${page}:${open.line}: the block does not end`);
  return blocks;
}

/** Returns the number of commands of a block: lines that neither continue another line nor are comments. */
export function commandsOf({ text }: Block): number {
  const joined = text.replaceAll(/\\\n/g, ' ').split('\n');
  return joined.filter((line) => line.trim() !== '' && !line.trim().startsWith('#')).length;
}
