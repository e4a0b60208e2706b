import type { Command } from 'commander';
import { listAudit, type ListedEntry } from '#lib/audit/audit-entry.query.ts';
import { exportLog } from '#lib/audit/export-log.query.ts';
import { LogBroken } from '#lib/audit/log-check.ts';
import { verifyLog } from '#lib/audit/log.query.ts';
import { environments, type Environment, type Query } from '#lib/database/base.ts';
import { verifyFile, writeLines } from '../../../lib/audit/log-file.ts';
import { registerProve } from '../trust/audit-prove.ts';
import { asOperator } from '../shell/operator.ts';
import { environmentOption, limitOption, parseInstant, withJson } from '../shell/options.ts';
import { print, printRows, notice, type OutputOptions } from '../shell/output.ts';
import { queryIn } from '../shell/ask.ts';
import { Refusal } from '#lib/core/refusal.ts';

type Place = { workspace: string; environment?: Environment };
type ListOptions = OutputOptions & Place & { op?: string; subject?: string; since?: string; limit: number };
type VerifyOptions = OutputOptions & Partial<Place> & { file?: string };

export function register(program: Command): void {
  const group = program.command('audit');
  withJson(group.command('list'))
    .description('list the entries of a workspace, newest first')
    .requiredOption('--workspace <uid>', 'the uid of the workspace')
    .addOption(environmentOption('default: both'))
    .option('--op <op>', 'only entries of this event, such as key.issued')
    .option('--subject <uid>', 'only entries about this record')
    .option('--since <instant>', 'only entries at or after this instant, such as 2026-11-01T00:00:00Z')
    .addOption(limitOption(50))
    .action(async (options: ListOptions) => printRows(await list(options), options, rowOf(options)));
  withJson(group.command('export <file>'))
    .description('write all entries of the audit log tree, and its checkpoint, as JSON lines; - for stdout')
    .requiredOption('--workspace <uid>', 'the uid of the workspace')
    .addOption(environmentOption().makeOptionMandatory())
    .action(async (file: string, options: OutputOptions & Required<Place>) => {
      const [exported] = await askLogs(options, exportLog, (lines) => writeLines(lines, file));
      const summary = { file, ...exported!.answer };
      if (file !== '-') print(summary, options);
      else
        notice(
          `${summary.entries} entries, ${summary.not_placed} not in the tree yet, root ${summary.root_hash}`,
        );
    });
  registerProve(group);
  withJson(group.command('verify'))
    .description('recompute the log of a workspace, or an exported log from its file alone')
    .option('--workspace <uid>', 'the uid of the workspace')
    .addOption(environmentOption('default: both'))
    .option('--file <file>', 'an exported log; needs no database and no network')
    .action(async (options: VerifyOptions) => {
      const { workspace, environment, file } = options;
      if ((workspace === undefined) === (file === undefined)) {
        throw new Refusal('unclear_log', 'verify takes either --workspace or --file');
      }
      if (file !== undefined) return print(await verifyFile(file), options);
      printRows(await verify({ workspace: workspace!, environment }), options);
    });
}

type Logs = { workspace: string; environment?: Environment | undefined };

/** Runs one query on the audit log of each environment that the options select. */
function askLogs<A extends readonly unknown[], T>(
  { workspace, environment }: Logs,
  query: Query<A, T>,
  ...args: A
): Promise<{ environment: Environment; answer: T }[]> {
  return asOperator(async (operator) => {
    const answers = [];
    for (const each of environment ? [environment] : environments) {
      const place = { workspace, environment: each };
      const answer = await queryIn(operator, place, query, ...args).catch((error: unknown) => {
        throw error instanceof LogBroken ? new LogBroken(`${each}: ${error.message}`) : error;
      });
      answers.push({ environment: each, answer });
    }
    return answers;
  });
}

async function verify(logs: Logs) {
  return (await askLogs(logs, verifyLog)).map(({ environment, answer }) => {
    const { size, root, checkpoints, pending } = answer;
    return { environment, entries: size, root_hash: root, checkpoints, not_placed: pending };
  });
}

type Found = ListedEntry & { environment: Environment };

/**
 * Lists the newest entries. Both environments take their ids from one sequence, so the newest entries have
 * the largest ids.
 */
async function list({ op, subject, since, limit, ...place }: ListOptions): Promise<Found[]> {
  const question = {
    op,
    subject,
    since: since === undefined ? since : parseInstant('--since', since),
    limit,
  };
  const found = await askLogs(place, listAudit, question);
  return found
    .flatMap(({ environment, answer }) => answer.map((entry) => ({ ...entry, environment })))
    .sort((a, b) => Number(b.id) - Number(a.id))
    .slice(0, limit);
}

function rowOf({ json }: OutputOptions) {
  return ({ environment, index, leafHash, entry }: Found) =>
    json
      ? { environment, index, leaf_hash: leafHash, ...entry }
      : {
          environment,
          index,
          at: entry.at,
          op: entry.op,
          subject: entry.subject.uid,
          by: entry.actor.uid ?? entry.actor.kind,
          outcome: entry.outcome.code ?? entry.outcome.status,
        };
}
