import { readFile } from 'node:fs/promises';
import type { Command } from 'commander';
import { checkSeal, type SealCheck } from '#lib/core/seal.ts';
import { withJson } from './options.ts';
import { print, type OutputOptions } from './output.ts';
import { Refusal } from './refusal.ts';

export function register(program: Command): void {
  withJson(program.command('verify <file>'))
    .description('check the seal of a saved response; needs no database and no network')
    .action(async (file: string, options: OutputOptions) => {
      const check = checkFile(file, await read(file));
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

function checkFile(file: string, text: string): SealCheck {
  try {
    return checkSeal(JSON.parse(text));
  } catch (error) {
    throw new Refusal('not_sealed', `${file}: ${(error as Error).message}`);
  }
}
