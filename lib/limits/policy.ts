import type { ServiceClass, ServiceClassLimits } from '#lib/database/base.ts';

/** The kind of work that an operation does. Each kind has its own quota in addition to the quota of all requests. */
export const operationClasses = ['read', 'write', 'compute'] as const;
export type OperationClass = (typeof operationClasses)[number];

/** The names of the quotas, as callers see them. Every quota is counted over a window of one minute. */
export const policyNames = ['application', 'write', 'compute', 'workspace'] as const;
export type PolicyName = (typeof policyNames)[number];

export const WINDOW_S = 60;

/** The quotas that a request of each class uses, in the order in which they are locked. */
export const policiesOf: Record<OperationClass, readonly PolicyName[]> = {
  read: ['application', 'workspace'],
  write: ['application', 'write', 'workspace'],
  compute: ['application', 'compute', 'workspace'],
};

/** Requests per minute, by service class and quota. */
export type Quotas = Record<ServiceClass, Record<PolicyName, number>>;

/**
 * The largest quota per window that can be counted: one request per microsecond. PostgreSQL measures time in
 * microseconds and stores the counter in 32 bits.
 */
const QUOTA_MAX = WINDOW_S * 1_000_000;

/**
 * Returns a quota times `factor`. The result is at least one request, and at most the largest quota that can be
 * counted.
 */
export function quotaTimes(quota: number, factor: number): number {
  return Math.min(QUOTA_MAX, Math.max(1, Math.round(quota * factor)));
}

/** Returns the quotas of all service classes, each times `factor`. */
export function quotasOf(limits: Record<ServiceClass, ServiceClassLimits>, factor = 1): Quotas {
  const times = (quota: number) => quotaTimes(quota, factor);
  const quotas = ({ requests, writes, submissions, workspaceRequests }: ServiceClassLimits) => ({
    application: times(requests),
    write: times(writes),
    compute: times(submissions),
    workspace: times(workspaceRequests),
  });
  return {
    developer: quotas(limits.developer),
    standard: quotas(limits.standard),
    enterprise: quotas(limits.enterprise),
  };
}

/** The owner of a quota: an application, or the whole workspace in this environment. */
export type Consumer = { application: string; workspace: string; environment: string };

/** Returns the quotas that a request of this class uses. */
export function ratesOf(
  quotas: Record<PolicyName, number>,
  kind: OperationClass,
  { application, workspace, environment }: Consumer,
): Rate[] {
  return policiesOf[kind].map((name) => ({
    name,
    key: `${name} ${name === 'workspace' ? workspace : application} ${environment}`,
    quota: quotas[name],
  }));
}

/** One quota that a request is counted against. */
export type Rate = { name: string; key: string; quota: number };

/** The requests left in a quota, and the seconds until it is full again. */
export type RateState = { name: string; quota: number; remaining: number; fullInS: number };

export type RateDecision = { allowed: boolean; states: RateState[] };

/** A counter of requests against quotas. Throws if the counter is unreachable. */
export type Rates = {
  /**
   * Takes one request from every quota, or from no quota if one quota is used up. `slot` names the owner of the quotas.
   * Quotas of one slot are stored on one node.
   */
  take(slot: string, rates: readonly Rate[]): Promise<RateDecision>;
};
