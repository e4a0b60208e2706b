import type { ServiceClass, ServiceClassLimits } from '#lib/database/base.ts';

/** What kind of work an operation is; each kind has a quota of its own beside that of all requests. */
export const operationClasses = ['read', 'write', 'compute'] as const;
export type OperationClass = (typeof operationClasses)[number];

/** The quotas by the name that callers see. All are counted over a window of a minute. */
export const policyNames = ['application', 'write', 'compute', 'workspace'] as const;
export type PolicyName = (typeof policyNames)[number];

export const WINDOW_S = 60;

/** The policies that a request of this class draws on, in the one order in which they are locked. */
export const policiesOf: Record<OperationClass, readonly PolicyName[]> = {
  read: ['application', 'workspace'],
  write: ['application', 'write', 'workspace'],
  compute: ['application', 'compute', 'workspace'],
};

/** Quotas a minute by service class and policy. */
export type Quotas = Record<ServiceClass, Record<PolicyName, number>>;

/** One request a microsecond: PostgreSQL keeps time no finer, and counts in 32 bits. */
const QUOTA_MAX = WINDOW_S * 1_000_000;

/** A quota times `factor`, at least one request and at most what can be counted. */
export function quotaTimes(quota: number, factor: number): number {
  return Math.min(QUOTA_MAX, Math.max(1, Math.round(quota * factor)));
}

/** The quotas of all service classes, each times `factor`. */
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

/** Whose quota it is: the application's, or that of the whole workspace in this environment. */
export type Consumer = { application: string; workspace: string; environment: string };

/** What a request of this class draws on. */
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

/** One quota that a request is held against. */
export type Rate = { name: string; key: string; quota: number };

/** What is left of a quota, and in how many seconds it is whole again. */
export type RateState = { name: string; quota: number; remaining: number; fullInS: number };

export type RateDecision = { allowed: boolean; states: RateState[] };

/** Counts requests against quotas. Throws when what it counts with is away. */
export type Rates = {
  /**
   * Draws one request on every quota, or on none when one of them has no room. `slot` says whose they are: what is
   * counted together is kept together.
   */
  take(slot: string, rates: readonly Rate[]): Promise<RateDecision>;
};
