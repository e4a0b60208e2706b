import { readFile } from 'node:fs/promises';
import type { Command } from 'commander';
import { checkColumn, isColumnDocument } from '#lib/quant/column-check.ts';
import { checkSeal, type SealCheck } from '#lib/core/seal.ts';
import { failureStatus, verifyPack, type Verified } from '#lib/trust/verify-pack.mjs';
import { withJson } from './options.ts';
import { print, tell, type OutputOptions } from './output.ts';
import { Refusal } from '#lib/core/refusal.ts';

type VerifyOptions = OutputOptions & { keys?: string; previous?: string };

export function register(program: Command): void {
  withJson(program.command('verify <file>'))
    .description(
      'check the seal of a saved response, an evidence pack, the proof of an entry of the audit log, or the proof of one column of a snapshot; needs no database and no network',
    )
    .option('--keys <file>', 'of an evidence pack: the published key set, /.well-known/assay-keys.json')
    .option('--previous <file>', 'of an evidence pack: the pack before')
    .action(async (file: string, options: VerifyOptions) => {
      const text = await read(file);
      if (isPack(text)) return verifyEvidence(file, text, options);
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

/** Ends with a status of its own for each kind of failure, as the verifier alone does. */
async function verifyEvidence(file: string, text: string, options: VerifyOptions): Promise<void> {
  const [keys, previous] = await Promise.all(
    [options.keys, options.previous].map((path) => (path === undefined ? undefined : read(path))),
  );
  const checked = verifyPack(text, { keys, previous });
  print(
    { file, intact: checked.ok, ...(checked.ok ? shown(checked, options) : { failure: checked.kind }) },
    options,
  );
  if (!checked.ok) throw new Refusal('pack_broken', checked.message, failureStatus[checked.kind]);
  if (!checked.keys_checked) tell('the key was not looked for in a published set: --keys');
}

function shown({ ok: _, results, period, ...pack }: Verified & { ok: true }, { json }: OutputOptions) {
  return json ? { ...pack, period, results } : { ...pack, ...period, ...results };
}

/** An evidence pack of whatever condition: what it is shows in its schema or its envelope. */
function isPack(text: string): boolean {
  return /"svc\.evidence-pack\//.test(text) || /"payloadType":\s*"application\/vnd\.in-toto/.test(text);
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
