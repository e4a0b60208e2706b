import { expect } from 'chai';
import type { TObject } from 'typebox';
import { catalog } from '#api/catalog.ts';
import { exampleOf } from '#api/derive/example.ts';
import type { Operation } from '#lib/core/operation.ts';
import { buildTenancy, type Tenancy } from '../support/build.ts';
import { onOneBackend } from '../support/live.ts';
import { inTurn, isExhaustive, strideOf } from '../support/repetitions.ts';
import { call, expectInvalid, expectListed, expectProblem, pathOf, send, type Answer } from './call.ts';
import { isOfEveryWorkspace, make } from './resources.ts';

/** The number of rows that the functions in `resources.ts` create in each list that contains rows of one resource. */
const ROWS_OF_RESOURCE = 5;
/**
 * The number of rows that this test creates in every other list: enough for pages of one row, of all rows,
 * and of more than all rows.
 */
const ROWS = isExhaustive ? 5 : 2;

const lists = catalog.filter((operation) => Object.hasOwn(properties(operation), 'cursor'));

/**
 * Lists whose rows appear in the order in which the test creates them: lists ordered by key, and lists with
 * the oldest row first. All other lists have the newest row first.
 */
const ascending = new Set(['data.economics.series.list', 'data.metrics.list', 'events.list']);

/** Lists that end with rows that every workspace has. */
const withBuiltIn = new Set(['quant.models.list']);

/** Lists whose rows are the same in every workspace, and which a workspace cannot extend. */
const fixed = new Set(['workflows.library.list']);

/** A workspace with the rows of one list. */
type Stage = {
  tenancy: Tenancy;
  rows: number;
  /**
   * The values that identify the rows, in the order in which they were made; empty for the rows of one
   * resource.
   */
  made: string[];
  /** The resource that the rows belong to, if the list belongs to one. */
  parameter: string | undefined;
  /** The cursor after the first row. */
  cursor: string;
};

onOneBackend('Every list', (live) => {
  const stages = new Map<Operation, Promise<Stage>>();

  /**
   * Returns the prepared workspace of a list. The workspace is created once, because the cursor of the list
   * is also sent to other lists.
   */
  const stageOf = (operation: Operation): Promise<Stage> => {
    if (!stages.has(operation)) stages.set(operation, setStage(operation));
    return stages.get(operation)!;
  };

  async function setStage(operation: Operation): Promise<Stage> {
    const tenancy = await buildTenancy(live());
    const made: string[] = [];
    let parameter: string | undefined;
    if (isOfResource(operation)) parameter = await make(live(), operation, tenancy);
    else if (!fixed.has(operation.key))
      for (let row = 0; row < ROWS; row++) made.push(await make(live(), operation, tenancy));
    const { body } = await call(live(), operation, { key: tenancy.key, query: '?limit=1', parameter });
    const rows = await countRows(operation, tenancy, made.length);
    return { tenancy, rows, made, parameter, cursor: body.page.next_cursor };
  }

  /** Returns the number of rows of a list after its rows were made. */
  async function countRows(operation: Operation, { key }: Tenancy, made: number): Promise<number> {
    if (isOfResource(operation)) return ROWS_OF_RESOURCE;
    if (!isOfEveryWorkspace(operation)) return made + (await countBuiltIn(operation));
    return (await call(live(), operation, { key, query: '?limit=200' })).body.data.length;
  }

  /** Returns the number of rows that a list has in a new workspace. */
  async function countBuiltIn(operation: Operation): Promise<number> {
    if (!withBuiltIn.has(operation.key) && !fixed.has(operation.key)) return 0;
    const { key } = await buildTenancy(live());
    return (await call(live(), operation, { key, query: '?limit=200' })).body.data.length;
  }

  for (const [turn, operation] of lists.entries()) {
    describe(operation.key, () => {
      let stage: Stage;

      before(async () => {
        stage = await stageOf(operation);
      });

      const ask = (query: string): Promise<Answer> => {
        const { tenancy, parameter } = stage;
        return call(live(), operation, { key: tenancy.key, query, parameter });
      };

      const expectRefused = async (query: string, about: string): Promise<void> => {
        const answer = await ask(query);
        expectProblem(answer, 'invalid_cursor', about);
        expectListed(answer, operation);
        expect(answer.body.errors, about).to.have.lengthOf(1);
        expect(answer.body.errors[0], about).to.include({ pointer: '/cursor', in: 'query' });
      };

      it('200 returns 50 rows per page by default and 1 to 200 rows on request', async () => {
        for (const [query, limit] of [
          ['?limit=1', 1],
          ['?limit=200', 200],
          ['', 50],
        ] as const) {
          const { status, body } = await ask(query);
          expect(status).to.equal(200);
          expect(body.page.limit).to.equal(limit);
          expect(body.data).to.have.lengthOf(Math.min(limit, stage.rows));
        }
      });

      it('422 for 0 and for 201 rows', async () => {
        for (const limit of [0, 201, -1]) expectInvalid(await ask(`?limit=${limit}`), 'query', ['/limit']);
      });

      it('200 returns every row once and in the same order for any page size', async () => {
        const { tenancy, rows, made, parameter } = stage;
        const whole = (await ask('?limit=200')).body.data.map(nameOf);
        if (isOfResource(operation)) expect(new Set(whole).size).to.equal(rows);
        else
          expect(whole.slice(0, made.length)).to.deep.equal(
            ascending.has(operation.key) ? made : made.toReversed(),
          );
        for (const limit of new Set([1, 2, rows - 1, rows, rows + 1])) {
          const seen: string[] = [];
          let next: string | null = `${pathOf(operation, parameter)}?limit=${limit}`;
          for (let pages = 0; next !== null && pages <= rows; pages++) {
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

      it('422 for a cursor that was never issued', async () => {
        const { cursor, made, parameter } = stage;
        const parts = [cursor.slice(0, 16), cursor.slice(1), cursor + cursor];
        for (const text of inTurn(['', 'x', 'null', '0', ...parts, made[0] ?? parameter!], turn, 3)) {
          await expectRefused(`?cursor=${encodeURIComponent(text)}`, text);
        }
      });

      it('422 for a cursor with any one character changed', async () => {
        const { cursor } = stage;
        for (let at = turn % strideOf(29); at < cursor.length; at += strideOf(29)) {
          const changed = cursor.slice(0, at) + (cursor[at] === 'A' ? 'B' : 'A') + cursor.slice(at + 1);
          await expectRefused(`?limit=1&cursor=${changed}`, changed);
        }
      });

      it('422 for a cursor of the same list with other filters', async () => {
        for (const [name, schema] of Object.entries(properties(operation))) {
          if (name === 'cursor' || name === 'limit') continue;
          const value = encodeURIComponent(String(exampleOf(schema)));
          await expectRefused(`?cursor=${stage.cursor}&${name}=${value}`, name);
        }
      });

      it('422 for a cursor of another list', async () => {
        const others = [...lists.slice(turn + 1), ...lists.slice(0, turn)];
        expect(others).to.not.deep.equal([]);
        for (const other of isExhaustive ? others : others.slice(0, 3)) {
          const answer = await ask(`?cursor=${(await stageOf(other)).cursor}`);
          expectProblem(answer, 'invalid_cursor', other.key);
        }
      });
    });
  }

  it('declares the problem invalid_cursor', () => {
    expect(lists.length).to.be.greaterThan(1);
    for (const operation of lists) expect(operation.problems).to.include('invalid_cursor');
  });
});

/**
 * Returns the value that identifies a row. A resource is identified by its name alone, because its state may
 * change between two pages.
 */
function nameOf(row: { uid?: string; key?: string }): string {
  return row.uid ?? row.key ?? JSON.stringify(row);
}

/** Whether the list contains rows of one resource. Other lists contain resources. */
function isOfResource({ path }: Operation): boolean {
  return path.includes('{');
}

function properties(operation: Operation): TObject['properties'] {
  return (operation.query as TObject | undefined)?.properties ?? {};
}
