import { spawnSync } from 'node:child_process';
import type { Block } from './blocks.ts';

/** The modules that the guide for Python uses in every block. */
const MODULES = ['requests', 'pandas'];

/** Whether an interpreter can import the modules. */
const canImport = (interpreter: string, modules: readonly string[]) =>
  spawnSync(interpreter, ['-c', `import ${modules.join(', ')}`]).status === 0;

/**
 * Returns the first interpreter that has the modules of the guide: the one on the path, or Debian's. Returns
 * undefined if neither has them.
 */
export const findPython = () =>
  ['python3', '/usr/bin/python3'].find((interpreter) => canImport(interpreter, MODULES));

/**
 * Returns the blocks of a page with its Python blocks joined into one shell block, because they share their
 * variables. The shell block is at the position of the last Python block. Python blocks that cannot run
 * because a module is missing remain, with the reason.
 */
export function joinPython(blocks: readonly Block[], python = findPython() ?? null): Block[] {
  const marked = blocks.map((block) => (block.language === 'python' ? markMissing(block, python) : block));
  const runnable = marked.filter((block) => block.language === 'python' && block.skipped === undefined);
  const last = runnable.at(-1);
  if (last === undefined) return marked;
  const source = runnable.map(({ page, line, text }) => `# ${page}:${line}\n${text}`).join('\n\n');
  const text = `cat > page.py <<'END_OF_PAGE'\n${source}\nEND_OF_PAGE\n"${python}" page.py`;
  return marked
    .filter((block) => block === last || !runnable.includes(block))
    .map((block) => (block === last ? { ...block, line: runnable[0]!.line, language: 'sh', text } : block));
}

/** Returns the block, marked as skipped if Python lacks a module that the block needs. */
function markMissing(block: Block, python: string | null): Block {
  if (block.skipped !== undefined) return block;
  if (python === null) return { ...block, skipped: `Python lacks ${MODULES.join(' or ')}` };
  return block.needs === undefined || canImport(python, [block.needs])
    ? block
    : { ...block, skipped: `Python lacks ${block.needs}` };
}
