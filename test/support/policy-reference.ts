import { fields, type FieldName } from '#lib/governance/policy/fields.ts';
import type { Policy } from '#lib/governance/policy/policy.ts';

/**
 * Evaluates policies with a second implementation that is as simple as possible: true is 1, false is 0, an
 * error 0.5; `all` is the minimum, `any` the maximum, and `not` is one minus the value. It shares only the
 * catalogue of fields with the product's evaluator.
 */
export function referenceDecision(policies: readonly Policy[], input: any) {
  const said = policies.flatMap((policy) =>
    policy.rules.map((rule) => {
      const bounds = Object.entries({
        environment: policy.scope.environments,
        action: policy.scope.actions,
        connector: policy.scope.connectors,
        currency: policy.scope.currencies,
        counterparty_id: policy.scope.counterparties,
        risk_tier: policy.scope.risk_tiers,
        execution_mode: policy.scope.execution_modes,
      });
      const scope = bounds.map(([field, list]) =>
        list.length ? atom({ field, op: 'in', value: list }, input, null) : 1,
      );
      const { currencies } = policy.scope;
      const currency = currencies.length === 1 ? currencies[0]! : null;
      const valid = isValid(rule.when, 1, currency) && atomsOf(rule.when) <= 200;
      const when = valid ? truth(rule.when, input, currency) : 0.5;
      return { policy, rule, inScope: Math.min(...scope), all: Math.min(...scope, when), valid, currency };
    }),
  );
  const found = (value: number) => said.filter(({ inScope, all }) => inScope > 0 && all === value);
  const errors = found(0.5);
  const holds = found(1);
  const effects = new Set(holds.map(({ rule }) => rule.effect));
  const first = (['deny', 'require_approval', 'allow'] as const).find((effect) => effects.has(effect));
  const effect = errors.length ? 'deny' : (first ?? 'deny');
  const determining = holds.filter(({ rule }) => rule.effect === effect);
  const isDefault = effect === 'deny' && determining.length + errors.length === 0;
  const failing = isDefault ? found(0).filter(({ rule }) => rule.effect !== 'deny') : determining;
  const name = ({ policy, rule }: (typeof said)[number]) => `${policy.uid}/${rule.key}`;
  return {
    effect,
    isDefault,
    determining: determining.map(name).sort(),
    errors: errors.map(name).sort(),
    atoms: (effect === 'allow' ? [] : failing)
      .filter(({ valid }) => valid)
      .flatMap((each) =>
        wrong(each.rule.when, input, each.currency, isDefault, '/when').map((at) => `${name(each)}${at}`),
      )
      .sort(),
  };
}

function truth(node: any, input: any, currency: string | null): number {
  const inside = pin(node, currency);
  if (node.all) return Math.min(1, ...node.all.map((each: any) => truth(each, input, inside)));
  if (node.any) return Math.max(0, ...node.any.map((each: any) => truth(each, input, inside)));
  if (node.not) return 1 - truth(node.not, input, inside);
  return atom(node, input, currency);
}

/**
 * Returns the paths of the atoms that cause a condition to differ from the result `wanted`. Each returned
 * atom and each of its parents has a definite result other than the result wanted there.
 */
function wrong(node: any, input: any, currency: string | null, wanted: boolean, path: string): string[] {
  if (truth(node, input, currency) !== (wanted ? 0 : 1)) return [];
  const inside = pin(node, currency);
  if (node.not) return wrong(node.not, input, inside, !wanted, `${path}/not`);
  if (!node.all && !node.any) return [path];
  const word = node.all ? 'all' : 'any';
  return node[word].flatMap((each: any, at: number) =>
    wrong(each, input, inside, wanted, `${path}/${word}/${at}`),
  );
}

/** Returns the currency of amounts inside a group. */
function pin(node: any, currency: string | null): string | null {
  const fixed = (node.all ?? [])
    .filter((each: any) => each?.field === 'currency')
    .flatMap(({ op, value }: any) =>
      op === 'eq' ? [value] : op === 'in' && value?.length === 1 ? value : [],
    );
  return fixed[0] ?? currency;
}

function atom({ field, op, value }: any, input: any, currency: string | null): number {
  const actual = input[field];
  const missing = actual === undefined || actual === null;
  if (op === 'exists') return Number(missing !== value);
  if (missing || !isA(field, actual)) return 0.5;
  if (fields[field as FieldName].type === 'money' && input.currency !== currency) return 0.5;
  switch (op) {
    case 'eq':
      return Number(actual === value);
    case 'ne':
      return Number(actual !== value);
    case 'in':
      return Number(value.includes(actual));
    case 'not_in':
      return Number(!value.includes(actual));
    case 'lt':
      return Number(actual < value);
    case 'lte':
      return Number(actual <= value);
    case 'gt':
      return Number(actual > value);
    case 'gte':
      return Number(actual >= value);
    case 'between':
      return Number(value[0] <= actual && actual <= value[1]);
    default:
      return Number(actual.every((word: string) => value.includes(word)));
  }
}

function isA(name: string, value: any): boolean {
  const { type, min, max, values, form } = fields[name as FieldName] as any;
  const isWord = (word: any) => typeof word === 'string' && (values ? values.includes(word) : form(word));
  if (type === 'text') return isWord(value);
  if (type === 'set') return Array.isArray(value) && value.every(isWord);
  if (type === 'boolean') return typeof value === 'boolean';
  if (type === 'instant') {
    return typeof value === 'string' && !isNaN(+new Date(value)) && new Date(value).toISOString() === value;
  }
  return Number.isSafeInteger(value) && value >= min && value <= max;
}

function atomsOf(node: any): number {
  const members = node.all ?? node.any ?? (node.not ? [node.not] : []);
  return members.length ? members.reduce((sum: number, each: any) => sum + atomsOf(each), 0) : 1;
}

const ordered = new Set(['lt', 'lte', 'gt', 'gte', 'between']);
const plain = new Set(['eq', 'ne', 'in', 'not_in']);

function isValid(node: any, depth: number, currency: string | null): boolean {
  if (depth > 8 || typeof node !== 'object' || node === null || Array.isArray(node)) return false;
  const names = Object.keys(node).sort().join();
  const fixed = (node.all ?? []).length ? new Set(pins(node.all)) : new Set();
  const each = (members: any) =>
    Array.isArray(members) && members.every((one) => isValid(one, depth + 1, pin(node, currency)));
  if (names === 'all') return fixed.size < 2 && each(node.all);
  if (names === 'any') return node.any?.length > 0 && each(node.any);
  if (names === 'not') return each([node.not]);
  if (names !== 'field,op,value' || !Object.hasOwn(fields, String(node.field))) return false;
  const { type } = fields[node.field as FieldName];
  const isNumber = type === 'money' || type === 'integer' || type === 'instant';
  if (node.op === 'exists') return typeof node.value === 'boolean';
  if (type === 'money' && currency === null) return false;
  if (type === 'set') return node.op === 'subset_of' && isList(node.value) && isA(node.field, node.value);
  if (node.op === 'in' || node.op === 'not_in') {
    return type !== 'boolean' && isList(node.value) && node.value.every((one: any) => isA(node.field, one));
  }
  if (node.op === 'between') {
    const [min, greatest] = Array.isArray(node.value) && node.value.length === 2 ? node.value : [];
    return isNumber && isA(node.field, min) && isA(node.field, greatest) && min <= greatest;
  }
  return (plain.has(node.op) || (isNumber && ordered.has(node.op))) && isA(node.field, node.value);
}

function pins(members: any): string[] {
  if (!Array.isArray(members)) return [];
  return members.flatMap((each) =>
    pin({ all: [each] }, null) === null ? [] : [pin({ all: [each] }, null)!],
  );
}

function isList(value: any): boolean {
  return Array.isArray(value) && value.length >= 1 && value.length <= 200;
}
