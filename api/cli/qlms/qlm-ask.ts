import type { Command } from 'commander';
import { isUid } from '#lib/core/id.ts';
import { prefixes } from '#lib/core/prefix.ts';
import { Refusal } from '#lib/core/refusal.ts';
import type { QlmFact, SealedAnswer } from '#lib/qlms/asking/answer.schema.ts';
import { withJson } from '../shell/options.ts';
import { print, printRows, type OutputOptions } from '../shell/output.ts';
import { readOnService, sendToService, withService, type ServiceOptions } from '../shell/run-on-service.ts';
import { wholeNumber } from '../shell/whole-number.ts';

type Asking = OutputOptions &
  ServiceOptions & { qlm?: string; after?: string; answer?: string; option?: string; asOf?: string };
type Answer = SealedAnswer & { uid: string; question: string | null; seal: { hash: string } };

/** Registers the commands that ask a running service and read its answers. */
export function registerAsking(group: Command): void {
  withService(withJson(group.command('ask [question...]')))
    .description('ask a question, and print the answer with the source of each figure')
    .option('--qlm <model>', 'the uid or key of the question model (default: the only serving model)')
    .option('--after <answer>', 'the earlier answer that the question follows up')
    .option('--answer <answer>', 'with --option: the clarification to answer')
    .option('--option <n>', 'with --answer: the number of the chosen option')
    .option('--as-of <day>', 'use only facts that were known at the end of this day')
    .action(ask);
  withService(withJson(group.command('answers')))
    .description('list the sealed answers, newest first')
    .option('--qlm <model>', 'the uid or key of the question model (default: the only serving model)')
    .action(async (options: Asking) => {
      const model = await modelOf(options);
      const { data } = await readOnService<{ data: Record<string, unknown>[] }>(
        options,
        `${PATH}/${model}/answers`,
      );
      printRows(data, options);
    });
  withService(withJson(group.command('explain <answer>')))
    .description('print a sealed answer with its query and the source of each figure')
    .option('--qlm <model>', 'the uid or key of the question model (default: the only serving model)')
    .action(async (uid: string, options: Asking) => {
      const model = await modelOf(options);
      show(await readOnService<Answer>(options, `${PATH}/${model}/answers/${uid}`), options);
    });
}

const PATH = '/api/v2/qlms';

async function ask(words: string[], options: Asking): Promise<void> {
  const { after, answer, option, asOf } = options;
  const question = words.join(' ');
  const model = await modelOf(options);
  const body = {
    ...(question === '' ? {} : { question }),
    ...(answer === undefined ? {} : { answer_to: answer }),
    ...(option === undefined ? {} : { option: wholeNumber('--option', option, [1, 8]) }),
    ...(after === undefined ? {} : { after }),
    ...(asOf === undefined ? {} : { as_of: asOf }),
  };
  show(await sendToService<Answer>(options, `${PATH}/${model}/invoke`, body), options);
}

/** Returns the uid of the chosen question model, or of the only question model with a serving version. */
async function modelOf(options: Asking): Promise<string> {
  const { qlm } = options;
  if (qlm !== undefined && isUid(qlm, prefixes.qlmModel)) return qlm;
  const filter = qlm === undefined ? 'status=serving' : `qlm_key=${encodeURIComponent(qlm)}`;
  const { data } = await readOnService<{ data: { uid: string; key: string }[] }>(
    options,
    `${PATH}?${filter}`,
  );
  if (data.length === 1) return data[0]!.uid;
  const detail =
    data.length === 0
      ? 'there is no such question model'
      : `several serve: ${data.map(({ key }) => key).join(', ')}`;
  throw new Refusal('qlm_unknown', `${detail}; name one with --qlm`);
}

/** Prints an answer: the text, then a line for each fact with its source. */
function show(answer: Answer, options: OutputOptions): void {
  if (options.json) return print(answer, options);
  const write = (line: string): void => void process.stdout.write(`${line}\n`);
  write(answer.text ?? answer.clarification?.prompt ?? `${answer.refusal!.code}: ${answer.refusal!.detail}`);
  for (const { n, label } of answer.clarification?.options ?? []) write(`  ${n}. ${label}`);
  for (const { label } of answer.refusal?.nearest ?? []) write(`  near: ${label}`);
  for (const fact of answer.facts) write(`  [${fact.id}] ${citation(fact)}`);
  for (const { detail } of answer.assumptions) write(`  assumed: ${detail}`);
  for (const flag of answer.flags) write(`  flag: ${flag}`);
  for (const [task, code] of fallbacks(answer)) write(`  ${task}: the provider was not used (${code})`);
  write(`  ${answer.uid}, seal ${answer.seal.hash}`);
}

/** The tasks for which the answer of a provider was not used, each with the reason. */
function fallbacks({ planner, wording }: Answer): [string, string][] {
  const codes = { planner: planner.fallback_code, wording: wording.fallback_code };
  return Object.entries(codes).filter((each): each is [string, string] => each[1] !== null);
}

function citation({
  display,
  measure,
  of,
  period,
  source,
  as_of,
  known_at,
  formula,
  inputs,
}: QlmFact): string {
  const place = source.run_uid ?? source.record_uid ?? source.dataset_uid;
  return [
    display,
    [measure, ...of, ...(period === null ? [] : [period])].join(' '),
    ...(formula === null ? [] : [`${formula}${inputs.length > 0 ? ` of ${inputs.join(', ')}` : ''}`]),
    `${source.name}${place === null ? '' : ` (${place}${source.revision === null ? '' : `@${source.revision}`})`}`,
    known_at === null ? `as of ${as_of}` : `known ${known_at.slice(0, 10)}, as of ${as_of}`,
  ].join(' | ');
}
