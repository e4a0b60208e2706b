import { readFile } from 'node:fs/promises';
import type { Command } from 'commander';
import { Refusal } from '#lib/core/refusal.ts';
import { simulationsRun } from '#lib/quant/simulations/simulations.run.ts';
import { withJson } from '../shell/options.ts';
import { print, type OutputOptions } from '../shell/output.ts';
import { runOnService, withService, type ServiceOptions } from '../shell/run-on-service.ts';
import { simulationReport, type ShownSimulation } from './simulation-report.ts';

const RESOURCE = `/api/v2${simulationsRun.resource}`;

type RunOptions = OutputOptions & ServiceOptions & { plot?: boolean };

export function register(program: Command): void {
  const group = program.command('simulation');
  const command = withJson(group.command('run <file>'))
    .description('run the simulation of a JSON file on the running service, and show its result')
    .option('--plot', 'plot the wealth by month');
  withService(command).action(async (file: string, options: RunOptions) => {
    const body = await readRequest(file);
    const run = await runOnService<ShownSimulation>(options, { resource: RESOURCE, body });
    if (options.json) print(run, options);
    else process.stdout.write(`${simulationReport(run, { plot: options.plot ?? false })}\n`);
  });
}

/** Reads the request from a file. The service checks the members of the request. */
async function readRequest(file: string): Promise<object> {
  const text = await readFile(file, 'utf8').catch(() => {
    throw new Refusal('file_unreadable', `cannot read ${file}; give a JSON file with a simulation`);
  });
  try {
    return JSON.parse(text) as object;
  } catch (error) {
    throw new Refusal('file_not_json', `${file} is not JSON: ${(error as Error).message}`);
  }
}
