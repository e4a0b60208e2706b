import type { Command } from 'commander';
import { registerConnections } from './ai-connection.ts';
import { registerWording } from '../intelligence/ai-wording.ts';
import { registerTariffs } from './ai-tariff.ts';

export function register(program: Command): void {
  const group = program.command('ai').description("AI providers of the customer's own");
  registerConnections(group.command('connection').description('where they are, and the key of each'));
  registerTariffs(group);
  registerWording(group);
}
