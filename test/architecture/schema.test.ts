import { readdirSync, readFileSync } from 'node:fs';
import { expect } from 'chai';
import { Baseline } from '#lib/database/migrations/0001-baseline.ts';
import { grants } from '#lib/database/grants.ts';

const folder = new URL('../../lib/database/schema/', import.meta.url);
const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.sql'))
  .map((file) => ({ file, sql: readFileSync(new URL(file, folder), 'utf8') }));

describe('the files of the baseline schema', () => {
  it('are each loaded once', () => {
    const baseline = new Baseline(undefined as never, undefined as never);
    baseline.up();
    const loaded = baseline.getQueries().join('\n');
    for (const { file, sql } of files) expect(loaded.split(sql), file).to.have.length(2);
  });

  it('define exactly one function if they are named after a function', () => {
    for (const { file, sql } of files) {
      const made = [...sql.matchAll(/^create function (\w+)/gm)].map(([, name]) => name);
      const named = /^functions\/(\w+)\.sql$/.exec(file)?.slice(1) ?? [];
      expect(made, file).to.deep.equal(named);
    }
  });

  it('give each table row-level security and a list of privileges', () => {
    const all = files.map(({ sql }) => sql).join('\n');
    const made = [...all.matchAll(/^create (?:unlogged )?table (\w+) \(/gm)].map(([, name]) => name!);
    const walled = all.matchAll(
      /^alter table (\w+) enable row level security, force row level security;\n(?:--.*\n)*create policy visible/gm,
    );
    expect([...walled].map(([, name]) => name)).to.have.members(made);
    expect(Object.keys(grants)).to.include.members(made);
  });
});
