import { readFile } from 'node:fs/promises';
import type { Command } from 'commander';
import { strictText } from '#lib/core/strict-json.ts';
import { checkVotes, type VoteCheck } from '#lib/actions/delegations/vote-document.ts';
import { checkDocument } from '#lib/research/sealed-document.ts';
import { failureStatus, verifyPack, type Verified } from '#lib/trust/verify-pack.mjs';
import { answerFaults } from '#lib/qlms/asking/answer-faults.ts';
import { withJson } from '../shell/options.ts';
import { print, notice, type OutputOptions } from '../shell/output.ts';
import { Refusal } from '#lib/core/refusal.ts';

type VerifyOptions = OutputOptions & { keys?: string; previous?: string };

export function register(program: Command): void {
  withJson(program.command('verify <file>'))
    .option('--keys <file>', 'for an evidence pack: the published key set, /.well-known/assay-keys.json')
    .option('--previous <file>', 'for an evidence pack: the previous pack of the chain')
    .action(async (file: string, options: VerifyOptions) => {
      const text = await readText(file);
      if (isPack(text)) return verifyEvidence(file, text, options);
      const votes = checkVotes(text);
      if (votes) return verifyVotes(file, votes, options);
      const checked = checkDocument(text);
      const ungrounded = answerFaults(text);
      print({ file, ...checked, ...(ungrounded && { ungrounded }) }, options);
      if (checked.intact && ungrounded && ungrounded.length > 0)
        throw new Refusal(
          'answer_ungrounded',
          `the text states a number of no fact: ${ungrounded.join(', ')}`,
        );
      if (checked.intact) return;
      const differences = checked.differences.join(', ');
      if ('root' in checked)
        throw new Refusal('proof_broken', `these parts do not match the root: ${differences}`);
      throw new Refusal('seal_broken', `these members differ from the seal: ${differences}`);
    });
}

function verifyVotes(file: string, checked: VoteCheck, options: OutputOptions): void {
  print({ file, ...checked }, options);
  if (!checked.intact)
    throw new Refusal('votes_broken', `these parts do not match: ${checked.differences.join(', ')}`);
}

/**
 * Verifies an evidence pack and prints the result. Each kind of failure has its own exit status, as in the standalone
 * verifier.
 */
async function verifyEvidence(file: string, text: string, options: VerifyOptions): Promise<void> {
  const [keys, previous] = await Promise.all(
    [options.keys, options.previous].map((path) => (path === undefined ? undefined : readText(path))),
  );
  const checked = verifyPack(text, { keys, previous });
  print(
    { file, intact: checked.ok, ...(checked.ok ? shown(checked, options) : { failure: checked.kind }) },
    options,
  );
  if (!checked.ok) throw new Refusal('pack_broken', checked.message, failureStatus[checked.kind]);
  if (!checked.keys_checked) notice('the key was not checked against a published key set: give --keys');
}

function shown({ ok: _, results, period, ...pack }: Verified & { ok: true }, { json }: OutputOptions) {
  return json ? { ...pack, period, results } : { ...pack, ...period, ...results };
}

/**
 * Whether a text is meant as an evidence pack, even if the pack is not valid. The text is recognised by its schema or
 * its envelope.
 */
function isPack(text: string): boolean {
  return /"svc\.evidence-pack\//.test(text) || /"payloadType":\s*"application\/vnd\.in-toto/.test(text);
}

/** Reads the text of a file that is to be verified. */
export async function readText(file: string): Promise<string> {
  const bytes = await readFile(file).catch((error: Error) => {
    throw new Refusal('file_unreadable', error.message);
  });
  try {
    return strictText(bytes);
  } catch {
    throw new Refusal('malformed_document', `${file} is not UTF-8`);
  }
}
