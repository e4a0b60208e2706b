import { readFile } from 'node:fs/promises';
import type { Command } from 'commander';
import { checkColumn, isColumnDocument } from '#lib/quant/column-check.ts';
import { checkSeal, type SealCheck } from '#lib/core/seal.ts';
import { withJson } from './options.ts';
import { print, type OutputOptions } from './output.ts';
import { Refusal } from './refusal.ts';

export function register(program: Command): void {
  withJson(program.command('verify <file>'))
    .description(
      'check the seal of a saved response, or the proof of one column of a snapshot; needs no database and no network',
    )
    .action(async (file: string, options: OutputOptions) => {
      const text = await read(file);
      const column = columnOf(text);
      if (column) {
        const { root, differences } = checkColumn(column);
        print({ file, intact: differences.length === 0, root, differences }, options);
        if (differences.length) {
          throw new Refusal(
            'proof_broken',
            `what the root does not hold as it is: ${differences.join(', ')}`,
          );
        }
        return;
      }
      const check = checkFile(file, text);
      print({ file, ...check }, options);
      if (!check.intact) {
        throw new Refusal('seal_broken', `what differs from the seal: ${check.differences.join(', ')}`);
      }
    });
}

async function read(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    throw new Refusal('file_unreadable', (error as Error).message);
  }
}

/** A column of a research snapshot with its hash path, which carries no seal. */
function columnOf(text: string) {
  try {
    const document: unknown = JSON.parse(text);
    return isColumnDocument(document) ? document : undefined;
  } catch {
    return undefined; // no JSON at all is told where a seal is looked for
  }
}

function checkFile(file: string, text: string): SealCheck {
  try {
    return checkSeal(JSON.parse(text));
  } catch (error) {
    throw new Refusal('not_sealed', `${file}: ${(error as Error).message}`);
  }
}
