import { instantMs } from '#lib/core/date.ts';
/** The actions of data rights. */
export const dataActions = ['read', 'display', 'derive', 'train', 'export', 'redistribute'] as const;
export type DataAction = (typeof dataActions)[number];

/**
 * The actions that an action includes, in order. A use needs a permission for each of these actions: deriving data also
 * reads it, and training on data also derives from it.
 */
const chains: Readonly<Record<DataAction, readonly DataAction[]>> = {
  read: ['read'],
  display: ['read', 'display'],
  derive: ['read', 'derive'],
  train: ['read', 'derive', 'train'],
  export: ['read', 'export'],
  redistribute: ['read', 'export', 'redistribute'],
};

/** The limits of a rule. A limit that is omitted or null restricts nothing. Instants are ISO 8601 in UTC. */
export type Constraints = {
  purposes?: readonly string[] | null | undefined;
  regions?: readonly string[] | null | undefined;
  delay_minutes?: number | null | undefined;
  max_rows_per_day?: number | null | undefined;
  valid_from?: string | null | undefined;
  valid_until?: string | null | undefined;
};

export type Rule = { action: string; constraints: Constraints };
export type Duty = {
  action: string;
  due?: string | null | undefined;
  /** Whether the data may be used only after the duty is fulfilled. */
  before_use?: boolean | undefined;
  fulfilled_at?: string | null | undefined;
};

/** One agreement about one dataset with one workspace. */
export type Entitlement = {
  uid: string;
  dataset: string;
  assignee: string;
  permissions: readonly Rule[];
  prohibitions: readonly Rule[];
  duties: readonly Duty[];
  valid_from?: string | null | undefined;
  valid_until?: string | null | undefined;
  /** A suspended entitlement permits nothing. Its prohibitions still apply. */
  suspended?: boolean | undefined;
};

/**
 * A use of a dataset. Null is an unknown value: it meets no constraint of a permission, and every constraint of a
 * prohibition.
 */
export type DataUse = {
  dataset: string;
  assignee: string;
  action: string;
  at: string;
  purpose: string | null;
  region: string | null;
  data_age_minutes: number | null;
  rows_today: number;
  rows_requested: number;
};

export type DataRefusal =
  | 'not_entitled'
  | 'not_permitted'
  | 'constraint_unmet'
  | 'prohibited'
  | 'row_limit'
  | 'duty_unfulfilled'
  | 'unknown_action';

/**
 * The decision about a use. `at_action` is the action of the chain for which the decision was made. `determining` has
 * pointers to rules or duties, such as `ent_.../permissions/0`, and `failed` has pointers to constraints, such as
 * `ent_.../permissions/0/regions`. `duties` lists the open duties of a permitted use.
 */
export type DataDecision =
  | {
      effect: 'permit';
      code: null;
      at_action: DataAction;
      determining: string[];
      failed: string[];
      duties: string[];
    }
  | {
      effect: 'deny';
      code: DataRefusal;
      at_action: DataAction | null;
      determining: string[];
      failed: string[];
    };

/**
 * Decides whether a use of a dataset is permitted. The function is total: every use gets a decision, and everything
 * that no permission covers is denied. The decision depends neither on the order of the entitlements nor on the order
 * of the keys of objects.
 *
 * Each action of the chain is decided in turn. A prohibition in force outweighs every permission. A permission covers
 * exactly its action, and all of its constraints must be met: the row limits of two permissions are not added. If no
 * permission of the action is met, `failed` names the unmet constraints of the permission with the fewest unmet
 * constraints. An open duty that is overdue, or that must be fulfilled before use, causes a denial.
 */
export function decideDataUse(entitlements: readonly Entitlement[], use: DataUse): DataDecision {
  const chain = isDataAction(use.action) ? chains[use.action] : undefined;
  if (!chain) return deny('unknown_action', null);
  const inForce = entitlements
    .filter((each) => each.dataset === use.dataset && each.assignee === use.assignee)
    .filter((each) => isWithin(each, use.at))
    .toSorted((one, other) => (one.uid < other.uid ? -1 : one.uid > other.uid ? 1 : 0));
  if (inForce.length === 0) return deny('not_entitled', chain[0]!);
  const determining: string[] = [];
  const granting = new Set<Entitlement>();
  for (const action of chain) {
    const ruled = decideAction(inForce, action, use);
    if (ruled.effect === 'deny') return ruled;
    determining.push(ruled.pointer);
    granting.add(ruled.entitlement);
  }
  return decideDuties([...granting], determining, chain.at(-1)!, use);
}

export function isDataAction(text: string): text is DataAction {
  return (dataActions as readonly string[]).includes(text);
}

type Denial = Extract<DataDecision, { effect: 'deny' }>;
type Ruled = { effect: 'permit'; entitlement: Entitlement; pointer: string } | Denial;

function decideAction(inForce: readonly Entitlement[], action: DataAction, use: DataUse): Ruled {
  for (const { uid, prohibitions } of inForce) {
    for (const [at, { action: prohibited, constraints }] of prohibitions.entries()) {
      if (prohibited === action && prohibits(constraints, use))
        return deny('prohibited', action, [`${uid}/prohibitions/${at}`]);
    }
  }
  let nearest: { pointer: string; failed: string[] } | undefined;
  for (const entitlement of inForce) {
    if (entitlement.suspended === true) continue;
    for (const [at, permission] of entitlement.permissions.entries()) {
      if (permission.action !== action) continue;
      const pointer = `${entitlement.uid}/permissions/${at}`;
      const failed = unmet(permission.constraints, use);
      if (failed.length === 0) return { effect: 'permit', entitlement, pointer };
      if (!nearest || failed.length < nearest.failed.length) nearest = { pointer, failed };
    }
  }
  if (!nearest) return deny('not_permitted', action);
  const { pointer, failed } = nearest;
  return deny(
    failed[0] === 'max_rows_per_day' ? 'row_limit' : 'constraint_unmet',
    action,
    [],
    failed.map((name) => `${pointer}/${name}`),
  );
}

/** Decides a use by the duties of the entitlements whose permissions cover it. */
function decideDuties(
  granting: readonly Entitlement[],
  determining: string[],
  at_action: DataAction,
  { at }: DataUse,
): DataDecision {
  const open = granting.flatMap(({ uid, duties }) =>
    [...duties.entries()]
      .filter(([, { fulfilled_at: done }]) => !isStated(done))
      .map(([place, { due, before_use }]) => ({
        pointer: `${uid}/duties/${place}`,
        isBlocking: before_use === true || (isStated(due) && instantMs(due) <= instantMs(at)),
      })),
  );
  const blocking = open.find(({ isBlocking }) => isBlocking);
  if (blocking) return deny('duty_unfulfilled', at_action, [blocking.pointer]);
  const duties = open.map(({ pointer }) => pointer);
  return { effect: 'permit', code: null, at_action, determining, failed: [], duties };
}

/**
 * Returns the names of the constraints of a permission that a use does not meet. The row limit is compared only for a
 * use that meets all other constraints, because only such a use counts rows.
 */
function unmet(constraints: Constraints, use: DataUse): string[] {
  const { purposes, regions, delay_minutes: delay, max_rows_per_day: rows } = constraints;
  const failed: string[] = [];
  if (!isWithin(constraints, use.at)) failed.push('valid');
  if (isStated(purposes) && (use.purpose === null || !purposes.includes(use.purpose)))
    failed.push('purposes');
  if (isStated(regions) && (use.region === null || !regions.includes(use.region))) failed.push('regions');
  if (isStated(delay) && delay > 0 && (use.data_age_minutes === null || use.data_age_minutes < delay))
    failed.push('delay_minutes');
  const isOver = isStated(rows) && use.rows_today + use.rows_requested > rows;
  return failed.length === 0 && isOver ? ['max_rows_per_day'] : failed;
}

/** Whether a prohibition applies to a use. An unknown value of the use meets every constraint of a prohibition. */
function prohibits(constraints: Constraints, use: DataUse): boolean {
  const { purposes, regions, delay_minutes: delay, max_rows_per_day: rows } = constraints;
  if (!isWithin(constraints, use.at)) return false;
  if (isStated(purposes) && use.purpose !== null && !purposes.includes(use.purpose)) return false;
  if (isStated(regions) && use.region !== null && !regions.includes(use.region)) return false;
  if (isStated(delay) && use.data_age_minutes !== null && use.data_age_minutes < delay) return false;
  return !(isStated(rows) && use.rows_today + use.rows_requested > rows);
}

function isWithin({ valid_from: from, valid_until: until }: Constraints, at: string): boolean {
  return (
    !(isStated(from) && instantMs(at) < instantMs(from)) &&
    !(isStated(until) && instantMs(at) >= instantMs(until))
  );
}

function isStated<T>(value: T | null | undefined): value is T {
  return value !== null && value !== undefined;
}

function deny(
  code: DataRefusal,
  at_action: DataAction | null,
  determining: string[] = [],
  failed: string[] = [],
): Denial {
  return { effect: 'deny', code, at_action, determining, failed };
}
