import type { Command } from 'commander';
import { registerConnections } from './ai-connection.ts';
import { registerWording } from '../intelligence/ai-wording.ts';
import { registerTariffs } from './ai-tariff.ts';

export function register(program: Command): void {
  const group = program.command('ai');
  registerConnections(
    group.command('connection').description('connections to providers: their addresses, models and keys'),
  );
  registerTariffs(group);
  registerWording(group);
}
