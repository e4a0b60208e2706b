/** The persons related to an application that drafted or approves a delegation. */
export type ApplicationPersons = {
  application: string;
  /** The owner of the application and the person who is responsible for it. */
  principals: readonly string[];
  /** The persons whose votes the application casts. */
  bound: readonly string[];
  /** The persons who issued or rotated the credentials of the application. */
  issuers: readonly string[];
  /** Only on the drafting side: the owner of the machine identity, and the person who prepared the draft. */
  others: readonly string[];
  /** Only on the approving side: the person who submitted the binding of the application. */
  binders: readonly string[];
};

export type IndependenceRefusal =
  | 'sod_same_application'
  | 'sod_same_principal'
  | 'sod_same_person'
  | 'sod_issuer_overlap';

/**
 * The persons and applications that were compared to decide independence. They are stored with each approval,
 * so that anyone can repeat the check.
 */
export type Independence = {
  rule_version: 1;
  checked_at: string;
  creator_applications: string[];
  creator_persons: string[];
  approver_applications: string[];
  approver_persons: string[];
  intersections: string[];
};

export function personsOf(side: ApplicationPersons): string[] {
  return sorted([...side.principals, ...side.bound, ...side.issuers, ...side.others, ...side.binders]);
}

/**
 * Returns the compared sets of persons and applications, and their intersection. The approver is independent
 * only if the intersection is empty.
 */
export function assessIndependence(
  creator: ApplicationPersons,
  approver: ApplicationPersons,
  now: Date,
): Independence {
  const [creators, approvers] = [personsOf(creator), personsOf(approver)];
  return {
    rule_version: 1,
    checked_at: now.toISOString(),
    creator_applications: [creator.application],
    creator_persons: creators,
    approver_applications: [approver.application],
    approver_persons: approvers,
    intersections: [
      ...(creator.application === approver.application ? [creator.application] : []),
      ...creators.filter((person) => approvers.includes(person)),
    ],
  };
}

/** Returns why an approver is not independent of the drafter, or undefined if all persons and applications differ. */
export function dependence(
  creator: ApplicationPersons,
  approver: ApplicationPersons,
): IndependenceRefusal | undefined {
  if (creator.application === approver.application) return 'sod_same_application';
  if (shared(creator.principals, approver.principals)) return 'sod_same_principal';
  const acting = [...approver.principals, ...approver.bound];
  const drafting = [...creator.principals, ...creator.bound, ...creator.others];
  if (shared(drafting, acting)) return 'sod_same_person';
  return shared(personsOf(creator), personsOf(approver)) ? 'sod_issuer_overlap' : undefined;
}

function shared(some: readonly string[], others: readonly string[]): boolean {
  return some.some((each) => others.includes(each));
}

function sorted(persons: readonly string[]): string[] {
  return [...new Set(persons)].sort();
}
