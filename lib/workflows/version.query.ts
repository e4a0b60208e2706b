import type { Em, Tenant } from '#lib/database/base.ts';
import { WorkflowInstallation } from './catalogue/workflow-installation.entity.ts';
import { checkParameters, withInstalled, type ParameterValues } from './parameters.ts';
import { WorkflowVersion } from './workflow-version.entity.ts';
import { acquireNamedLock } from '#lib/governance/named-lock.query.ts';

/**
 * Locks a workflow until the transaction ends. No other transaction can propose, publish or withdraw a version
 * meanwhile.
 */
export async function lockWorkflow(em: Em, { workspace, environment }: Tenant, key: string): Promise<void> {
  const lock = `workflow ${workspace} ${environment} ${key}`;
  await acquireNamedLock(em, lock);
}

/** Returns the published version of a workflow of the current tenant; null if no version is published. */
export function publishedVersion(em: Em, key: string): Promise<WorkflowVersion | null> {
  return em.findOne(WorkflowVersion, { key, state: 'published' }, { refresh: true });
}

/** Returns the newest version of a workflow of the current tenant, in any state. */
export function newestVersion(em: Em, key: string): Promise<WorkflowVersion | null> {
  return em.findOne(WorkflowVersion, { key }, { orderBy: { version: 'desc' }, refresh: true });
}

/** Lists the versions of the current tenant, newest first. */
export function listVersions(em: Em, limit: number): Promise<WorkflowVersion[]> {
  return em.find(WorkflowVersion, {}, { orderBy: { uid: 'desc' }, limit });
}

/** Finds a version of any workspace. For operators. */
export function findAnyVersion(em: Em, uid: string): Promise<WorkflowVersion | null> {
  return em.findOne(WorkflowVersion, { uid }, { filters: false });
}

export type Runnable =
  | { ok: true; version: WorkflowVersion; parameters: ParameterValues }
  | { ok: false; code: 'workflow_not_published' | 'parameters_invalid'; detail: string };

/**
 * Returns the published version of a workflow of the current tenant with its parameters, or the reason why it cannot
 * run.
 */
export async function readRunnable(
  em: Em,
  key: string,
  given: Readonly<Record<string, unknown>>,
): Promise<Runnable> {
  const version = await publishedVersion(em, key);
  if (!version) {
    return { ok: false, code: 'workflow_not_published', detail: `No version of ${key} is published.` };
  }
  const checked = await checkGiven(em, version, given);
  if (checked.ok) return { ok: true, version, parameters: checked.values };
  const detail = checked.faults.map(({ name, message }) => `${name} ${message}`).join('; ');
  return { ok: false, code: 'parameters_invalid', detail };
}

/**
 * Checks the parameters that are given for a run of a version, completed by the parameters of the installation that the
 * version comes from.
 */
export async function checkGiven(
  em: Em,
  { definition, installationUid: uid }: Pick<WorkflowVersion, 'definition' | 'installationUid'>,
  given: Readonly<Record<string, unknown>>,
): Promise<ReturnType<typeof checkParameters>> {
  const installation = uid == null ? null : await em.findOneOrFail(WorkflowInstallation, { uid });
  return checkParameters(definition, withInstalled(installation?.parameters ?? {}, given));
}

/** The texts of the reasons why a workflow cannot run, by code. */
export const notRunnable = {
  workflow_not_published: 'No version of the workflow is published.',
  parameters_invalid: 'The parameters are not valid.',
} as const;
