import { systemClock } from '#lib/core/clock.ts';
import type { Em } from '#lib/database/base.ts';
import { carryOut } from '#lib/governance/govern.ts';
import type { WrittenDefinition } from '#lib/quant/project-definition.ts';
import { createProject as command } from '#lib/quant/write-project.command.ts';
import { refusalOf } from './shell/govern.ts';

type NewProject = { workspace: string; name: string; written: WrittenDefinition; by: string };

/** Creates a project in a transaction of its workspace that is already open. */
export async function createProject(em: Em, { by, ...input }: NewProject) {
  const place = { workspace: input.workspace, environment: 'sandbox' as const };
  const request = { actor: { kind: 'person' as const, uid: by }, place, clock: systemClock };
  const made = await carryOut(em, command, input, request);
  if (!made.ok) throw refusalOf(made);
  return made.result;
}
