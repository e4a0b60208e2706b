import { expect } from 'chai';
import type { TObject } from 'typebox';
import { catalog } from '#api/catalog.ts';
import { exampleOf } from '#api/derive/example.ts';
import type { Operation } from '#lib/core/operation.ts';
import { buildTenancy, type Tenancy } from '../support/build.ts';
import { onOneBackend } from '../support/live.ts';
import { call, expectInvalid, expectListed, expectProblem, pathOf, send, type Answer } from './call.ts';
import { make } from './resources.ts';

const ROWS = 5;

const lists = catalog.filter((operation) => Object.hasOwn(properties(operation), 'cursor'));

/** Lists in the order of keys, which the makers of these give in that order, or oldest first; all others are newest first. */
const ascending = new Set(['data.economics.series.list', 'data.metrics.list', 'events.list']);

type GivenOut = { cursor: string; parameter: string };

onOneBackend('Every list', (live) => {
  let given: Promise<{ tenant: Tenancy; cursors: Map<Operation, GivenOut> }> | undefined;

  /** A cursor of each list, in one workspace. */
  const cursorsOf = () =>
    (given ??= (async () => {
      const tenant = await buildTenancy(live());
      const cursors = new Map<Operation, GivenOut>();
      for (const operation of lists) {
        const parameter = await make(live(), operation, tenant);
        if (!isOfResource(operation)) await make(live(), operation, tenant);
        const { body } = await call(live(), operation, { key: tenant.key, query: '?limit=1', parameter });
        cursors.set(operation, { cursor: body.page.next_cursor, parameter });
      }
      return { tenant, cursors };
    })());

  for (const operation of lists) {
    describe(operation.key, () => {
      let tenancy: Tenancy;
      let made: string[];
      /** The cursor behind the first row. */
      let cursor: string;

      /** What the rows belong to, where the list is of one resource. */
      let parameter: string;

      before(async () => {
        tenancy = await buildTenancy(live());
        made = [];
        if (isOfResource(operation)) parameter = await make(live(), operation, tenancy);
        else for (let row = 0; row < ROWS; row++) made.push(await make(live(), operation, tenancy));
        cursor = (await ask('?limit=1')).body.page.next_cursor;
      });

      const ask = (query: string, key = tenancy.key): Promise<Answer> =>
        call(live(), operation, { key, query, parameter });

      const expectRefused = async (query: string, about: string): Promise<void> => {
        const answer = await ask(query);
        expectProblem(answer, 'invalid_cursor', about);
        expectListed(answer, operation);
        expect(answer.body.errors, about).to.have.lengthOf(1);
        expect(answer.body.errors[0], about).to.include({ pointer: '/cursor', in: 'query' });
      };

      it('200 takes 1 to 200 rows a page, and 50 when it is not told', async () => {
        for (const [query, limit] of [
          ['?limit=1', 1],
          ['?limit=200', 200],
          ['', 50],
        ] as const) {
          const { status, body } = await ask(query);
          expect(status).to.equal(200);
          expect(body.page.limit).to.equal(limit);
          expect(body.data).to.have.lengthOf(Math.min(limit, ROWS));
        }
      });

      it('422 for 0 and for 201 rows', async () => {
        for (const limit of [0, 201, -1]) expectInvalid(await ask(`?limit=${limit}`), 'query', ['/limit']);
      });

      it('200 shows every row once, in the same order, over pages of any size', async () => {
        const whole = (await ask('?limit=200')).body.data.map(nameOf);
        if (isOfResource(operation)) expect(new Set(whole).size).to.equal(ROWS);
        else expect(whole).to.deep.equal(ascending.has(operation.key) ? made : made.toReversed());
        for (const limit of [1, 2, ROWS - 1, ROWS, ROWS + 1]) {
          const seen: string[] = [];
          let next: string | null = `${pathOf(operation, parameter)}?limit=${limit}`;
          for (let pages = 0; next !== null && pages <= ROWS; pages++) {
            const { headers, body }: Answer = await send(live(), 'GET', next, { key: tenancy.key });
            seen.push(...body.data.map(nameOf));
            expect(body.page.has_more).to.equal(body.page.next_cursor !== null);
            const link: string | null = headers.get('link');
            expect(link !== null, 'Link is there with the next cursor').to.equal(body.page.has_more);
            next = link && /^<([^>]+)>; rel="next"$/.exec(link)![1]!;
          }
          expect(seen, `pages of ${limit}`).to.deep.equal(whole);
        }
      });

      it('422 for a cursor that was never given out', async () => {
        for (const text of [
          '',
          'x',
          'null',
          '0',
          cursor.slice(0, 16),
          cursor.slice(1),
          cursor + cursor,
          made[0] ?? parameter,
        ]) {
          await expectRefused(`?cursor=${encodeURIComponent(text)}`, text);
        }
      });

      it('422 for a cursor with any of its characters changed', async () => {
        for (let at = 0; at < cursor.length; at++) {
          const changed = cursor.slice(0, at) + (cursor[at] === 'A' ? 'B' : 'A') + cursor.slice(at + 1);
          await expectRefused(`?limit=1&cursor=${changed}`, changed);
        }
      });

      it('422 for a cursor of the same list under other filters', async () => {
        for (const [name, schema] of Object.entries(properties(operation))) {
          if (name === 'cursor' || name === 'limit') continue;
          const value = encodeURIComponent(String(exampleOf(schema)));
          await expectRefused(`?cursor=${cursor}&${name}=${value}`, name);
        }
      });

      it('422 for a cursor of another list', async () => {
        const { tenant, cursors } = await cursorsOf();
        const own = cursors.get(operation)!;
        const others = lists.filter((each) => each.path !== operation.path);
        expect(others).to.not.deep.equal([]);
        for (const other of others) {
          const query = `?cursor=${cursors.get(other)!.cursor}`;
          const answer = await call(live(), operation, { key: tenant.key, query, parameter: own.parameter });
          expectProblem(answer, 'invalid_cursor', other.key);
        }
      });
    });
  }

  it('is not vacuous: there are lists, and each of them says what a page is', () => {
    expect(lists.length).to.be.greaterThan(1);
    for (const operation of lists) expect(operation.problems).to.include('invalid_cursor');
  });
});

/** What tells a row apart: of a resource its name, for its state may change between two pages. */
function nameOf(row: { uid?: string; key?: string }): string {
  return row.uid ?? row.key ?? JSON.stringify(row);
}

/** Whether the list is of the rows of one resource, and not of resources. */
function isOfResource({ path }: Operation): boolean {
  return path.includes('{');
}

function properties(operation: Operation): TObject['properties'] {
  return (operation.query as TObject | undefined)?.properties ?? {};
}
