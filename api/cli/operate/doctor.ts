import type { Command } from 'commander';
import { readConfig } from '#lib/core/config.ts';
import { Refusal } from '#lib/core/refusal.ts';
import { examine } from '#lib/ops/doctor/examine.query.ts';
import { withJson } from '../shell/options.ts';
import { printRows, type OutputOptions } from '../shell/output.ts';

export function register(program: Command): void {
  withJson(program.command('doctor')).action(async (options: OutputOptions) => {
    const findings = await examine(readConfig());
    printRows(findings, options, ({ status, check, seen, remedy = '' }) => ({
      status,
      check,
      seen,
      remedy,
    }));
    const faults = findings.filter(({ status }) => status === 'fault');
    if (faults.length)
      throw new Refusal('faults_found', `${faults.length} of ${findings.length} checks found a fault`);
  });
}
