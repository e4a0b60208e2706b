/**
 * The steps that a migration must not take while processes of the previous version still use the database.
 * Those processes rely on the existing names, types and privileges. Such a step belongs in a later release,
 * marked as a contraction.
 */
export type Contraction = { rule: Rule; statement: string };

export type Rule =
  | 'drops a table'
  | 'drops a column'
  | 'drops a function'
  | 'drops a type, view or schema'
  | 'renames'
  | 'sets not null'
  | 'adds a column that is not null and has no default'
  | 'changes a type'
  | 'drops a default'
  | 'adds a constraint that is not "not valid"'
  | 'makes a unique index'
  | 'replaces a function'
  | 'revokes'
  | 'forces row-level security on an old table'
  | 'adds a policy that restricts';

/**
 * Returns the contractions in the SQL of one migration. Objects that the migration itself creates are not in
 * use yet, so the migration may change them.
 */
export function contractionsOf(sql: string): Contraction[] {
  const statements = statementsOf(sql);
  const made = new Set(statements.flatMap((statement) => madeBy(statement) ?? []));
  return statements.flatMap((statement) => {
    const target = targetOf(statement);
    if (target !== undefined && made.has(target) && !madeBy(statement)) return [];
    return rulesBrokenBy(statement).map((rule) => ({ rule, statement }));
  });
}

/**
 * Returns the statements of an SQL text, each in lower case on one line, without comments and function
 * bodies.
 */
export function statementsOf(sql: string): string[] {
  return sql
    .replace(/\$(\w*)\$[\s\S]*?\$\1\$/g, '$body$')
    .replace(/'(?:[^']|'')*'|--[^\n]*|\/\*[\s\S]*?\*\//g, (found) => (found.startsWith("'") ? "'text'" : ''))
    .split(';')
    .map((statement) => statement.replace(/"/g, '').replace(/\s+/g, ' ').trim().toLowerCase())
    .filter((statement) => statement !== '');
}

const NAME = String.raw`(?:if (?:not )?exists )?(?:only )?(?:public\.)?([\w.]+)`;

function madeBy(statement: string): string | undefined {
  return new RegExp(String.raw`^create (?:unlogged )?(?:table|function|view|type|schema) ${NAME}`).exec(
    statement,
  )?.[1];
}

/** Returns the table or function that a statement changes. */
function targetOf(statement: string): string | undefined {
  const forms = [
    String.raw`^(?:alter|drop) (?:table|function|view|type|schema) ${NAME}`,
    String.raw`^create (?:unique )?index (?:concurrently )?(?:(?:if not exists )?\w+ )?on ${NAME}`,
    String.raw`^(?:create|alter|drop) policy \w+ on ${NAME}`,
    String.raw`^(?:revoke|grant) .+? on (?:table |function )?${NAME}`,
  ];
  for (const form of forms) {
    const found = new RegExp(form).exec(statement)?.[1];
    if (found) return found;
  }
  return undefined;
}

function rulesBrokenBy(statement: string): Rule[] {
  if (statement.startsWith('alter table ')) return actionsOf(statement).flatMap(rulesOfAction);
  return statementRules.filter(([pattern]) => pattern.test(statement)).map(([, rule]) => rule);
}

const statementRules: readonly [RegExp, Rule][] = [
  [/^drop table\s/, 'drops a table'],
  [/^drop (function|procedure|routine|aggregate) /, 'drops a function'],
  [/^drop (type|domain|view|materialized view|schema|sequence) /, 'drops a type, view or schema'],
  [/^alter \w+ .* rename (to|value|attribute) /, 'renames'],
  [/^create or replace (function|procedure) /, 'replaces a function'],
  [/^create unique index\s/, 'makes a unique index'],
  [/^revoke\s/, 'revokes'],
  [/^create policy .* as restrictive\b/, 'adds a policy that restricts'],
];

/** Returns the actions of one `alter table`, split at the commas outside parentheses. */
function actionsOf(statement: string): string[] {
  const body = statement.replace(new RegExp(`^alter table ${NAME} `), '');
  const actions = [''];
  let depth = 0;
  for (const character of body) {
    if (character === '(') depth += 1;
    if (character === ')') depth -= 1;
    if (character === ',' && depth === 0) actions.push('');
    else actions[actions.length - 1] += character;
  }
  return actions.map((action) => action.trim());
}

function rulesOfAction(action: string): Rule[] {
  if (/^add (constraint|check|unique|primary|foreign|exclude)\b/.test(action)) {
    return /\bnot valid$/.test(action) ? [] : ['adds a constraint that is not "not valid"'];
  }
  if (action.startsWith('add ')) {
    const broken: Rule[] = [];
    const isFilled = /\bdefault\b|\bgenerated\b/.test(action);
    if (/\bnot null\b/.test(action) && !isFilled)
      broken.push('adds a column that is not null and has no default');
    if (/\b(primary key|unique)\b/.test(action)) broken.push('adds a constraint that is not "not valid"');
    return broken;
  }
  return actionRules.filter(([pattern]) => pattern.test(action)).map(([, rule]) => rule);
}

const actionRules: readonly [RegExp, Rule][] = [
  [/^drop (?!constraint|default|expression|identity|not null)/, 'drops a column'],
  [/^rename\s/, 'renames'],
  [/^alter .* set not null$/, 'sets not null'],
  [/^alter .* drop (default|identity)\b/, 'drops a default'],
  [/^alter .* (set data )?type /, 'changes a type'],
  [/^(enable|force) row level security/, 'forces row-level security on an old table'],
  [/^set schema\s/, 'renames'],
];
