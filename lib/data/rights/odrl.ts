import type { Constraints, Duty, Rule } from './decide.ts';

/** An entitlement as the operation returns it, with the members that ODRL states. */
export type AgreedUse = {
  uid: string;
  dataset_uid: string;
  provider: string | null;
  assignee: string;
  permissions: readonly Rule[];
  prohibitions: readonly Rule[];
  duties: readonly Duty[];
  valid_from: string | null;
  valid_until: string | null;
};

const CONTEXT = ['http://www.w3.org/ns/odrl.jsonld', { assay: 'urn:svc:assay:odrl:' }];

/** The actions of ODRL's vocabulary. The others are actions of Assay's profile. */
const actions: Readonly<Record<string, string>> = {
  read: 'read',
  display: 'display',
  derive: 'derive',
  attribute: 'attribute',
};

/**
 * Returns entitlements as ODRL 2.2 agreements in JSON-LD (W3C, ODRL Information Model 2.2 and Vocabulary 2.2). A
 * prohibition outweighs a permission (`conflict`). Actions and operands that ODRL does not define are terms of
 * `assay:`.
 */
export function odrlOf(entitlements: readonly AgreedUse[]): object {
  return { '@context': CONTEXT, '@graph': entitlements.map(agreementOf) };
}

function agreementOf(agreed: AgreedUse): object {
  const { uid, dataset_uid: dataset, assignee, provider } = agreed;
  const parties = { target: urn(dataset), assigner: provider ?? urn(assignee), assignee: urn(assignee) };
  const period = { valid_from: agreed.valid_from, valid_until: agreed.valid_until };
  const duties = agreed.duties.map(dutyOf);
  const ruleOf = ({ action, constraints }: Rule) => ({
    ...parties,
    action: actionOf(action),
    ...members('constraint', [...constraintsOf(period), ...constraintsOf(constraints)]),
  });
  return {
    '@type': 'Agreement',
    uid: urn(uid),
    profile: 'urn:svc:assay:odrl:1',
    conflict: 'prohibit',
    ...members(
      'permission',
      agreed.permissions.map((rule) => ({ ...ruleOf(rule), ...members('duty', duties) })),
    ),
    ...members('prohibition', agreed.prohibitions.map(ruleOf)),
  };
}

function dutyOf({ action, due, before_use: beforeUse, fulfilled_at: fulfilledAt }: Duty): object {
  return {
    action: actionOf(action),
    ...members('constraint', due ? [constraint('dateTime', 'lt', instantOf(due))] : []),
    'assay:before_use': beforeUse === true,
    'assay:fulfilled_at': fulfilledAt ?? null,
  };
}

function constraintsOf(limits: Constraints): object[] {
  const { purposes, regions, delay_minutes: delay, max_rows_per_day: rows } = limits;
  return [
    ...(limits.valid_from ? [constraint('dateTime', 'gteq', instantOf(limits.valid_from))] : []),
    ...(limits.valid_until ? [constraint('dateTime', 'lt', instantOf(limits.valid_until))] : []),
    ...(purposes ? [constraint('purpose', 'isAnyOf', [...purposes])] : []),
    ...(regions ? [constraint('spatial', 'isAnyOf', [...regions])] : []),
    ...(delay
      ? [constraint('delayPeriod', 'gteq', { '@type': 'xsd:duration', '@value': `PT${delay}M` })]
      : []),
    ...(rows === null || rows === undefined ? [] : [constraint('assay:rows_per_day', 'lteq', rows)]),
  ];
}

function constraint(leftOperand: string, operator: string, rightOperand: unknown): object {
  return { leftOperand, operator, rightOperand };
}

function instantOf(instant: string): object {
  return { '@type': 'xsd:dateTime', '@value': instant };
}

function actionOf(action: string): string {
  return actions[action] ?? `assay:${action}`;
}

function urn(uid: string): string {
  return `urn:svc:assay:${uid}`;
}

/** Returns an object whose only member is the list; an empty object for an empty list. */
function members(name: string, list: readonly object[]): Record<string, unknown> {
  return list.length === 0 ? {} : { [name]: list };
}
