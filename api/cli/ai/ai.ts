import type { Command } from 'commander';
import { registerConnections } from './ai-connection.ts';
import { registerWording } from '../intelligence/ai-wording.ts';
import { registerTariffs } from './ai-tariff.ts';

export function register(program: Command): void {
  const group = program.command('ai').description("the customer's own AI providers");
  registerConnections(group.command('connection').description("the providers' addresses and keys"));
  registerTariffs(group);
  registerWording(group);
}
