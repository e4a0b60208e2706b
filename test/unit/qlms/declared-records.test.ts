import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { asked } from '#lib/core/asked.ts';
import { tables } from '#lib/products.ts';
import { answer, type Setting } from '#lib/qlms/answer.ts';
import type { StoredRecord } from '#lib/qlms/facts/readers.ts';
import { domains } from '#lib/qlms/language/catalogue.ts';
import { buildLexicon } from '#lib/qlms/language/lexicon.ts';
import { measureNames } from '#lib/qlms/facts/measures.ts';
import { fixtureBeside } from '../../golden/qlm/fixture.ts';
import { memoryOf } from '../../golden/qlm/memory-readers.ts';
import { settingOf } from '../../golden/qlm/setting.ts';

const path = fileURLToPath(new URL('../../golden/qlm/dev.jsonl', import.meta.url));
const nouns = Object.keys(asked);

describe('Records that a product declares for questions', () => {
  let full: Setting;

  before(async () => {
    const fixture = fixtureBeside(path);
    full = await settingOf(fixture, 'full', memoryOf(fixture));
  });

  /** A setting with two records of a noun. The first has the first value of each word. */
  const withRecords = (noun: string): Setting => {
    const { fields, words = {} } = asked[noun]!;
    const record = (label: string, at: number): StoredRecord => ({
      label,
      fields: {
        label,
        ...Object.fromEntries(
          Object.entries(fields).map(([field, { reads }]) => [
            field,
            Object.keys(words[field] ?? {})[at] ?? (reads === 'count' ? `${at + 7}` : `2026-0${at + 1}-15`),
          ]),
        ),
      },
    });
    const names = [...measureNames(full.catalogue.measures)].concat({
      kind: 'entity',
      type: noun,
      key: 'main_one',
      name: 'main_one',
    });
    return {
      ...full,
      catalogue: { ...full.catalogue, lexicon: buildLexicon(names) },
      readers: { ...full.readers, records: async () => [record('main_one', 0), record('other_one', 1)] },
    };
  };

  it('name a declared table and a domain of questions', () => {
    for (const [noun, { table, domain }] of Object.entries(asked)) {
      expect(Object.keys(tables), noun).to.include(table);
      expect(domains as readonly string[], noun).to.include(domain);
    }
    expect(nouns).to.include.members([
      'evidence_pack',
      'dataset',
      'portfolio',
      'batch',
      'policy',
      'authority',
    ]);
  });

  for (const noun of nouns) {
    const { names, fields, words = {} } = asked[noun]!;
    const plural = names.find((name) => name.endsWith('s') && !name.includes(' ')) ?? names[1]!;

    it(`can be counted and listed: ${noun}`, async () => {
      const setting = withRecords(noun);
      const counted = await answer({ question: `How many ${plural} are there?` }, setting);
      if (counted.outcome !== 'answered') throw new Error(JSON.stringify(counted));
      expect([counted.query, counted.facts[0]!.value]).to.deep.equal([{ op: 'count', measure: noun }, '2']);
      const listed = await answer({ question: `List the ${plural}.` }, setting);
      if (listed.outcome !== 'answered') throw new Error(JSON.stringify(listed));
      expect(listed.facts.map(({ text }) => text)).to.deep.equal(['main_one', 'other_one']);
    });

    it(`have fields that questions can name: ${noun}`, async () => {
      const setting = withRecords(noun);
      for (const [field, { names: own, reads }] of Object.entries(fields)) {
        const question = `What is the ${own[0]} of the ${names[0]} main_one?`;
        const told = await answer({ question }, setting);
        if (told.outcome !== 'answered') throw new Error(`${question} ${JSON.stringify(told)}`);
        expect([told.query.what, told.facts.length, told.facts[0]!.of], question).to.deep.equal([
          field,
          1,
          'main_one',
        ]);
        expect(told.facts[0]!.unit, question).to.equal({ count: 'count', day: 'date', text: 'text' }[reads]);
      }
    });

    if (Object.keys(words).length > 0)
      it(`can be counted by the words of their states: ${noun}`, async () => {
        const setting = withRecords(noun);
        for (const [field, values] of Object.entries(words))
          for (const [value, own] of Object.entries(values).slice(0, 1))
            for (const word of own) {
              const question = `How many ${plural} are ${word}?`;
              const told = await answer({ question }, setting);
              if (told.outcome !== 'answered') throw new Error(`${question} ${JSON.stringify(told)}`);
              expect(told.query.where, question).to.deep.equal([{ field, op: 'eq', value }]);
              expect(told.facts[0]!.value, question).to.equal('1');
            }
      });

    it(`are not answered without the scope of their domain: ${noun}`, async () => {
      const setting = withRecords(noun);
      const open = new Set([...setting.catalogue.open].filter((domain) => domain !== asked[noun]!.domain));
      const shut = { ...setting, catalogue: { ...setting.catalogue, open } };
      const told = await answer({ question: `How many ${plural} are there?` }, shut);
      expect(told).to.include({ outcome: 'refused', code: 'not_entitled' });
    });
  }
});
