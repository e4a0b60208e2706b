import { measureNames } from '../facts/measures.ts';
import { domainOf, type Domain, type Measure } from '../language/catalogue.ts';
import { buildLexicon, type Lexicon, type Name } from '../language/lexicon.ts';
import type { QlmProfile } from '../registry/profile.schema.ts';
import type { Directory } from './directory.query.ts';

/** The domain whose scope gives access to the names of a type of entity. */
const OPENS: Readonly<Record<string, Domain>> = {
  company: 'companies',
  counterparty: 'actions',
  instrument: 'market',
  theme: 'market',
  account: 'ledger',
  workflow: 'workflows',
  dataset: 'data',
  portfolio: 'execution',
};

export type NameChoice = {
  profile: Pick<QlmProfile, 'vocabulary'>;
  open: ReadonlySet<Domain>;
  /** The factors of the bound model. */
  bound: readonly string[];
  /** Whether the caller may read features. Over HTTP they need a scope of their own. */
  hasFeatures: boolean;
};

/** The lexicons of a directory, by the hash of the profile, the open domains and the factors. */
const lexicons = new WeakMap<Directory, Map<string, Lexicon>>();

/** Returns the lexicon of what a caller may see. It is built once for a directory, profile and set of domains. */
export function lexiconOf(directory: Directory, profileHash: string, choice: NameChoice): Lexicon {
  const known = lexicons.get(directory) ?? new Map<string, Lexicon>();
  lexicons.set(directory, known);
  const key = [profileHash, ...[...choice.open].sort(), '', choice.hasFeatures, ...choice.bound].join(' ');
  const lexicon = known.get(key) ?? buildLexicon(namesOf(directory, choice));
  if (known.size >= 64) known.clear();
  known.set(key, lexicon);
  return lexicon;
}

/**
 * Returns the measures that a caller may see. Measures that exist only because of data of the workspace are left out if
 * the caller lacks the scope of their domain.
 */
export function visibleMeasures(
  { measures, own }: Pick<Directory, 'measures' | 'own'>,
  open: ReadonlySet<Domain>,
  hasFeatures: boolean,
): Map<string, Measure> {
  return new Map(
    [...measures].filter(
      ([key, { domain }]) =>
        !own.has(key) || (open.has(domain) && (hasFeatures || !key.startsWith('feature.'))),
    ),
  );
}

/**
 * Returns the names that a question may use: of the vocabulary, of measures, and of the entities of domains that the
 * caller may read. A name is left out if it exists only because of data behind a scope that the caller lacks.
 */
export function namesOf(directory: Directory, { profile, open, bound, hasFeatures }: NameChoice): Name[] {
  const names: Name[] = [
    ...vocabularyNames(profile),
    ...measureNames(visibleMeasures(directory, open, hasFeatures)),
  ];
  for (const [type, entities] of directory.entities) {
    if (!open.has(OPENS[type]!)) continue;
    for (const { key, attributes } of entities) {
      names.push({ kind: 'entity', type, key, name: attributes['name']! });
      if (type === 'instrument') names.push({ kind: 'entity', type, key, name: key, isSymbol: true });
    }
  }
  names.push(...factorNames(directory, { open, bound }));
  if (open.has('market')) names.push(...sectorNames(directory));
  return names;
}

function factorNames(
  { factors, entities }: Directory,
  { open, bound }: Pick<NameChoice, 'open' | 'bound'>,
): Name[] {
  const keys = new Set([...(open.has('scenarios') ? factors : []), ...(open.has('model') ? bound : [])]);
  const instruments = open.has('market') ? (entities.get('instrument') ?? []) : [];
  return [...keys].flatMap((key): Name[] => {
    const named = instruments.find((each) => each.key === key)?.attributes['name'];
    return [
      { kind: 'entity', type: 'factor', key, name: key, isSymbol: true },
      ...(named === undefined ? [] : [{ kind: 'entity' as const, type: 'factor', key, name: named }]),
    ];
  });
}

function sectorNames({ entities }: Directory): Name[] {
  const all = new Set(
    (entities.get('instrument') ?? []).flatMap(({ attributes }) => attributes['sector'] ?? []),
  );
  return [...all].sort().map((value): Name => ({ kind: 'sector', value, name: value }));
}

function vocabularyNames({ vocabulary }: Pick<QlmProfile, 'vocabulary'>): Name[] {
  return Object.entries(vocabulary).flatMap(([key, names]) =>
    names.map((name): Name =>
      key.startsWith('sector.')
        ? { kind: 'sector', value: key.slice('sector.'.length), name }
        : { kind: 'measure', key, name },
    ),
  );
}

/** Returns the number of measures of each domain that a caller may see. */
export function measuresByDomain(
  directory: Pick<Directory, 'measures' | 'own'>,
  open: ReadonlySet<Domain>,
  hasFeatures: boolean,
): Map<Domain, number> {
  const counts = new Map<Domain, number>();
  for (const [key, { domain }] of visibleMeasures(directory, open, hasFeatures)) {
    const of = domainOf(key) ?? domain;
    if (open.has(of)) counts.set(of, (counts.get(of) ?? 0) + 1);
  }
  return counts;
}
