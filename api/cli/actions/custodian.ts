import type { Command } from 'commander';
import { registerKind } from './counterparty.ts';

export function register(program: Command): void {
  registerKind(program, 'custodian');
}
