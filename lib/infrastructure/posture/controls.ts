import { canonicalHash } from '#lib/core/seal.ts';

export const controlStatuses = ['pass', 'fail', 'not_evaluated', 'not_applicable'] as const;
export type ControlStatus = (typeof controlStatuses)[number];

type Control = {
  category: 'isolation' | 'audit' | 'recovery' | 'keys' | 'operations';
  staleAfterHours: number;
  how: string;
};

/** The controls of the deployment, each with its evaluator. A control without an evaluator stays unknown. */
export const controls = {
  tenant_isolation_rls: {
    category: 'isolation',
    staleAfterHours: 24,
    how: 'Tries to read rows of other workspaces from every table with rows; checks that row-level security is forced.',
  },
  api_role_grants: {
    category: 'isolation',
    staleAfterHours: 24,
    how: 'Compares the privileges of the API role in the database catalog with the declared privileges.',
  },
  audit_log_intact: {
    category: 'audit',
    staleAfterHours: 24,
    how: 'Recomputes, from the stored entries, the Merkle logs of up to 20 environments with recent requests or exports.',
  },
  pack_fresh: {
    category: 'audit',
    staleAfterHours: 24,
    how: 'For each environment that `audit_log_intact` reads: checks that the newest evidence pack, if there is one, is at most 40 days old.',
  },
  signing_key_age: {
    category: 'keys',
    staleAfterHours: 24,
    how: 'Checks that the active signing key became valid at most 400 days ago.',
  },
  clock_skew: {
    category: 'operations',
    staleAfterHours: 24,
    how: 'Checks that the clocks of the worker and of the database differ by at most 2 seconds.',
  },
  queue_heartbeat: {
    category: 'operations',
    staleAfterHours: 2,
    how: 'The queue delivers the evaluation of the controls, so a completed evaluation shows that the queue works. The time of the evaluation is the evidence.',
  },
  backup_restored: {
    category: 'recovery',
    staleAfterHours: 24,
    how: 'Checks that the newest recorded restore or restore rehearsal succeeded at most 100 days ago.',
  },
  secrets_rewrapped: {
    category: 'keys',
    staleAfterHours: 24,
    how: 'Checks that the current keys decrypt the stored secrets: of all signing keys, of the webhooks of all workspaces, and of the AI connections in the environments whose audit logs are checked.',
  },
  production_codes_enrolled: {
    category: 'keys',
    staleAfterHours: 24,
    how: 'Counts the active persons with confirmed one-time codes in workspaces with access to production.',
  },
  deployment_file_hash: {
    category: 'operations',
    staleAfterHours: 24,
    how: 'The SHA-256 of the deployment file, as read by the responding process at startup.',
  },
  tls_terminated: {
    category: 'operations',
    staleAfterHours: 24,
    how: 'The control cannot be evaluated from inside the deployment. A statement in the deployment file does not count as an evaluation.',
  },
  encryption_at_rest: {
    category: 'operations',
    staleAfterHours: 24,
    how: 'The control cannot be evaluated from inside the deployment. A statement in the deployment file does not count as an evaluation.',
  },
} as const satisfies Record<string, Control>;

export type ControlKey = keyof typeof controls;
export const controlKeys = Object.keys(controls) as ControlKey[];

/** The finding of an evaluator. Only a finding with evidence can pass or fail. */
export type Finding =
  | { status: 'pass' | 'fail'; detailCode: string; evidence: Record<string, unknown> }
  | { status: 'not_evaluated' | 'not_applicable'; detailCode: string };

/** A control as it was last evaluated. */
export type KnownControl = {
  key: string;
  status: ControlStatus;
  detailCode: string;
  evidenceHash: string | null;
  evaluatedAt: Date | null;
};

export type PostureControl = Omit<KnownControl, 'key'> &
  Control & {
    key: ControlKey;
    isStale: boolean;
    /** The statement of the deployment file; null if there is none. It never changes the status. */
    declared: string | null;
  };

/** The controls that nothing inside the deployment can evaluate, and that the deployment file can declare. */
export const declarable = ['tls_terminated', 'encryption_at_rest'] as const;
export type Declarations = Partial<Record<ControlKey, string>>;

/**
 * Returns the posture: every control, and the overall status. The overall status is `fail` if a control fails.
 * Otherwise, it is `unknown` if a control is not evaluated or its evaluation is stale, and `pass` in all other cases. A
 * control that was never evaluated has the status `not_evaluated`.
 */
export function postureOf(
  known: readonly KnownControl[],
  now: Date,
  declarations: Declarations = {},
): { overall: 'pass' | 'fail' | 'unknown'; controls: PostureControl[]; hash: string } {
  const found = new Map(known.map((each) => [each.key, each]));
  const all = controlKeys.map((key): PostureControl => {
    const { status, detailCode, evidenceHash, evaluatedAt } = found.get(key) ?? unknown;
    const { staleAfterHours, ...control } = controls[key];
    const isStale =
      evaluatedAt !== null && now.getTime() - evaluatedAt.getTime() > staleAfterHours * 3_600_000;
    const declared = declarations[key] ?? null;
    const stated = declared !== null && evaluatedAt === null ? 'declared_not_evaluated' : detailCode;
    const evaluated = { status, detailCode: stated, evidenceHash, evaluatedAt, isStale };
    return { key, ...control, staleAfterHours, ...evaluated, declared };
  });
  const isOpen = ({ status, isStale }: PostureControl) => status === 'not_evaluated' || isStale;
  const overall = all.some(({ status }) => status === 'fail')
    ? 'fail'
    : all.some(isOpen)
      ? 'unknown'
      : 'pass';
  const hash = canonicalHash(
    all.map(({ key, status, detailCode, evidenceHash }) => ({ key, status, detailCode, evidenceHash })),
  );
  return { overall, controls: all, hash };
}

const unknown = {
  status: 'not_evaluated' as const,
  detailCode: 'never_evaluated',
  evidenceHash: null,
  evaluatedAt: null,
};
