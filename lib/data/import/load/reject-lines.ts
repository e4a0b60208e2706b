import { splitCsvLine } from '../readers/csv-line.ts';
import { lineBlocks } from '../readers/csv-source.ts';
import type { RejectsFile } from './rejects-file.ts';

/** A line that was read without a fault and rejected later. */
export type RejectedLine = { line: number; reason: string };

/**
 * Writes rejected lines to the rejects file as they are in the source file, which is read a second time.
 * `rejected` is ordered by line.
 */
export async function rejectLines(
  path: string,
  rejected: AsyncIterable<RejectedLine> | Iterable<RejectedLine>,
  rejects: RejectsFile,
): Promise<void> {
  const open =
    Symbol.asyncIterator in rejected ? rejected[Symbol.asyncIterator]() : rejected[Symbol.iterator]();
  let next = await open.next();
  for await (const { firstLine, lines } of lineBlocks(path)) {
    while (!next.done && next.value.line < firstLine + lines.length) {
      const { line, reason } = next.value;
      const text = lines[line - firstLine]!;
      rejects.add(line, reason, splitCsvLine(text) ?? [text]);
      next = await open.next();
    }
    await rejects.flush();
  }
}
