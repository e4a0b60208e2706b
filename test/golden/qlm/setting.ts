import { buildLexicon, type Name } from '#lib/qlms/language/lexicon.ts';
import type { Domain } from '#lib/qlms/language/catalogue.ts';
import { measureNames } from '#lib/qlms/facts/measures.ts';
import type { Setting } from '#lib/qlms/answer.ts';
import type { Fixture } from './fixture.ts';
import { memoryOf, type Memory } from './memory-readers.ts';

const ALL: readonly Domain[] = [
  'economics',
  'market',
  'companies',
  'ledger',
  'actions',
  'execution',
  'forecasts',
  'factors',
  'scenarios',
  'model',
  'workflows',
  'trust',
  'data',
];
/** The domain whose scope gives access to the names of a type of entity. */
const OPENS: Readonly<Record<string, Domain>> = {
  company: 'companies',
  counterparty: 'actions',
  instrument: 'market',
  theme: 'market',
  account: 'ledger',
  workflow: 'workflows',
  factor: 'scenarios',
};

/**
 * Returns the setting for a credential of the fixture: `full` gives access to all domains, `narrow` only to the
 * economic series.
 */
export async function settingOf(
  fixture: Fixture,
  credential: string,
  memory: Memory = memoryOf(fixture),
): Promise<Setting> {
  const open = new Set<Domain>(credential === 'narrow' ? ['economics'] : ALL);
  const { readers, measures } = memory;
  const names: Name[] = [...vocabularyNames(fixture), ...measureNames(measures)];
  for (const type of Object.keys(OPENS)) {
    if (!open.has(OPENS[type]!)) continue;
    for (const { key, attributes } of await readers.entities(type))
      names.push({ kind: 'entity', type, key, name: attributes.name! });
    if (type === 'instrument')
      names.push(
        ...(await readers.entities(type)).map(({ key }): Name => ({
          kind: 'entity',
          type,
          key,
          name: key,
          isSymbol: true,
        })),
      );
    if (type === 'factor')
      for (const key of await readers.modelFactors())
        names.push(
          { kind: 'entity', type, key, name: key, isSymbol: true },
          ...(await instrumentName(memory, key)),
        );
  }
  if (open.has('market')) names.push(...(await sectors(memory)));
  const clock = { today: fixture.clock.slice(0, 10), staleAfterDays: fixture.qlm.stale_after_days };
  return { catalogue: { measures, lexicon: buildLexicon(names), open }, readers, clock };
}

async function instrumentName({ readers }: Memory, symbol: string): Promise<Name[]> {
  const found = (await readers.entities('instrument')).find(({ key }) => key === symbol);
  return found ? [{ kind: 'entity', type: 'factor', key: symbol, name: found.attributes.name! }] : [];
}

async function sectors({ readers }: Memory): Promise<Name[]> {
  const all = new Set((await readers.entities('instrument')).map(({ attributes }) => attributes.sector!));
  return [...all].map((value): Name => ({ kind: 'sector', value, name: value }));
}

function vocabularyNames({ vocabulary }: Fixture): Name[] {
  return Object.entries(vocabulary).flatMap(([key, names]) =>
    names.map((name): Name =>
      key.startsWith('sector.')
        ? { kind: 'sector', value: key.slice('sector.'.length), name }
        : { kind: 'measure', key, name },
    ),
  );
}
