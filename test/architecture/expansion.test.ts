import { expect } from 'chai';
import { migrations, stepOf } from '#lib/database/migrations/index.ts';
import { contractionsOf, statementsOf, type Rule } from './expansion.ts';

const allowed: string[] = [
  'create table a (b integer not null unique)',
  'create table a (b integer); alter table a add column c text not null; create unique index on a (b)',
  'create table a (b integer); alter table a enable row level security; alter table a force row level security',
  'create index on a (b)',
  'create index concurrently if not exists a_b on public.a (b) where c is not null',
  'alter table a add column b integer',
  'alter table a add column b integer not null default 0, add column c text',
  'alter table a add column b numeric(10, 2) check (b > 0)',
  'alter table a add b bigint generated always as identity',
  'alter table a add constraint c check (b > 0) not valid',
  'alter table a add foreign key (b) references c (d) not valid',
  'alter table a validate constraint c',
  'alter table a alter column b drop not null',
  'alter table a alter b set default 1',
  'alter table a drop constraint c',
  'create function f() returns integer language sql as $$ select 1; drop table a $$; revoke execute on function f from public',
  'create policy p on a using (true)',
  'alter policy p on a using (true)',
  'grant select on a to b',
  `insert into a values ('drop table b; revoke all'); update a set b = 1`,
  '-- drop table a\ncreate table b ()',
  '/* alter table a drop b; */',
];

const forbidden: [string, ...Rule[]][] = [
  ['drop table a', 'drops a table'],
  ['DROP TABLE IF EXISTS public."a" CASCADE', 'drops a table'],
  ['alter table a drop column b', 'drops a column'],
  ['alter table only a drop if exists b', 'drops a column'],
  ['alter table a add column c integer, drop column b', 'drops a column'],
  ['alter table a rename to b', 'renames'],
  ['alter table a rename column b to c', 'renames'],
  ['alter table a rename b to c', 'renames'],
  ['alter table a set schema s', 'renames'],
  ['alter function f() rename to g', 'renames'],
  ['alter table a alter column b set not null', 'sets not null'],
  ['alter table a add column b integer not null', 'adds a column that is not null and has no default'],
  ['alter table a add b integer not null check (b > 0)', 'adds a column that is not null and has no default'],
  ['alter table a add column b integer unique', 'adds a constraint that is not "not valid"'],
  ['alter table a alter column b type bigint', 'changes a type'],
  ['alter table a alter b set data type bigint using b::bigint', 'changes a type'],
  ['alter table a alter b drop default', 'drops a default'],
  ['alter table a add constraint c check (b > 0)', 'adds a constraint that is not "not valid"'],
  ['alter table a add check (b in (1, 2))', 'adds a constraint that is not "not valid"'],
  ['alter table a add unique (b)', 'adds a constraint that is not "not valid"'],
  ['alter table a add primary key (b)', 'adds a constraint that is not "not valid"'],
  ['alter table a add foreign key (b) references c', 'adds a constraint that is not "not valid"'],
  ['create unique index on a (b)', 'makes a unique index'],
  ['create unique index concurrently i on a (b)', 'makes a unique index'],
  ['drop function f(integer)', 'drops a function'],
  ['create or replace function f() returns integer language sql as $$ select 2 $$', 'replaces a function'],
  ['drop view v', 'drops a type, view or schema'],
  ['drop type t', 'drops a type, view or schema'],
  ['revoke select on a from b', 'revokes'],
  ['revoke all on all tables in schema public from b', 'revokes'],
  ['alter table a force row level security', 'forces row-level security on an old table'],
  ['create policy p on a as restrictive using (false)', 'adds a policy that restricts'],
  ['drop table a; alter table b drop c', 'drops a table', 'drops a column'],
  ['create table a (b integer); drop table c', 'drops a table'],
];

describe('an expanding migration', () => {
  for (const sql of allowed) {
    it(`may contain: ${sql}`, () => expect(contractionsOf(sql)).to.deep.equal([]));
  }

  for (const [sql, ...rules] of forbidden) {
    it(`must not contain: ${sql}`, () =>
      expect(contractionsOf(sql).map(({ rule }) => rule)).to.deep.equal(rules));
  }

  it('has a name that begins with its number', () => {
    migrations.forEach(({ name }, at) => {
      expect(name).to.match(/^\d{4}(-[a-z0-9]+)+$/);
      expect(Number.parseInt(name)).to.equal(at + 1);
    });
  });

  it('states at the top of its SQL whether it removes an object of the schema', () => {
    const step = stepOf('0002-a', '-- contracts: 0.3.0\ndrop table a;');
    const emitted = new step.class(undefined as never, undefined as never);
    emitted.up();
    expect(emitted.getQueries().join()).to.include('drop table a');
    expect([step.name, step.contracts]).to.deep.equal(['0002-a', '0.3.0']);
    expect(stepOf('0002-a', 'create table a ()')).not.to.have.property('contracts');
  });

  // During an upgrade the previous version of Assay uses the changed schema, so a migration must keep what
  // that version needs.
  for (const migration of migrations.slice(1)) {
    it(`may remove something in ${migration.name} only if its SQL names the release that stopped using it`, () => {
      const emitted = new migration.class(undefined as never, undefined as never);
      emitted.up();
      const sql = emitted.getQueries().join(';\n');
      expect(statementsOf(sql)).to.not.deep.equal([]);
      const { contracts } = migration;
      if (contracts === undefined) expect(contractionsOf(sql)).to.deep.equal([]);
      else expect(contractionsOf(sql), 'nothing in it needs the mark').to.not.deep.equal([]);
    });
  }
});
