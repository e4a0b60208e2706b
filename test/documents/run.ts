import { blocksOf, pagesWithBlocks } from './blocks.ts';
import { runPage } from './page-shell.ts';
import { joinPython } from './python.ts';

/**
 * Runs the blocks of pages against the demo in the current folder. Authors run this file by hand. `URL`
 * is the address of the demo.
 */
const pages = process.argv.length > 2 ? process.argv.slice(2) : pagesWithBlocks();
const url = process.env['URL'] ?? 'http://127.0.0.1:3000';
for (const page of pages) {
  const started = performance.now();
  const blocks = joinPython(blocksOf(page));
  for (const { line, skipped } of blocks) {
    if (skipped !== undefined) process.stdout.write(`${page}:${line} is not run: ${skipped}\n`);
  }
  if (blocks.every(({ skipped }) => skipped !== undefined)) continue;
  const faults = await runPage(blocks, { folder: process.cwd(), url });
  for (const { place, output } of faults) process.stdout.write(`\n${place}\n${output}\n`);
  process.stdout.write(
    `${faults.length ? 'FAILED' : 'ok'} ${page} ${Math.round((performance.now() - started) / 1_000)} s\n`,
  );
  if (faults.length > 0) process.exitCode = 1;
}
