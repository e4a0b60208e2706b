import type { Command } from 'commander';
import { controlKinds } from '#lib/actions/authority/kinds.ts';
import { registerGovernedKind } from '../shell/governed-kind.ts';

/** Returns the commands for one kind of control record. Control records state who may do what. */
export function commandsOf(group: string): { register(program: Command): void } {
  return { register: (program) => void registerGovernedKind(program, group, controlKinds[group]!) };
}
