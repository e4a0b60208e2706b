import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import Type from 'typebox';
import Koa from 'koa';
import { answerListing, csvLine, headerLine, jsonLine, type ListForm } from '#api/http/listing.ts';
import { columnsOf, namesOf } from '#api/http/list-columns.ts';
import { keysetListing } from '#api/http/keyset.ts';
import type { FlatRow } from '#lib/core/operation.ts';
import { Closed } from '#lib/core/schema.ts';

type Batches = () => AsyncIterable<readonly FlatRow[]>;

/**
 * Serves a list on a local port. The list is read in the given batches. Calls `work` with the URL of the list, and
 * returns the result of `work`.
 */
async function served<T>(rows: Batches, form: ListForm, work: (url: string) => Promise<T>): Promise<T> {
  const app = new Koa();
  app.on('error', () => undefined);
  app.use((ctx) =>
    answerListing(ctx, {
      listing: { version: '1', page: () => Promise.reject(new Error('no page was requested')), rows },
      form,
      requested: 'all',
      columns: ['day', 'text', 'number', 'flag', 'nothing'].map((name) => ({ name })),
      checkPage: () => undefined,
      checkRow: () => undefined,
    }),
  );
  const server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    return await work(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

const text = (url: string) => fetch(url).then((response) => response.text());
const row = { nothing: null, day: '2020-01-01', text: 'a "b", c', number: 0.5, flag: false };

describe('a list without pagination', () => {
  const twice: Batches = async function* () {
    yield [row];
    yield [row];
  };

  it('is written as CSV with a header line, with quotes where needed and with empty fields for missing values', async () => {
    const line = '2020-01-01,"a ""b"", c",0.5,false,\r\n';
    expect(await served(twice, 'csv', text)).to.equal(`day,text,number,flag,nothing\r\n${line}${line}`);
  });

  it('is written as NDJSON with one object per line and with members in the declared order', async () => {
    const line = '{"day":"2020-01-01","text":"a \\"b\\", c","number":0.5,"flag":false,"nothing":null}\n';
    expect(await served(twice, 'ndjson', text)).to.equal(line + line);
  });

  it('has numbered columns in CSV for a member that is a bounded list of objects', () => {
    const columns = columnsOf(
      Closed({
        day: Type.String(),
        tags: Type.Array(Closed({ word: Type.String(), weight: Type.Number() }), { maxItems: 2 }),
      }),
    );
    expect(headerLine(columns)).to.equal('day,tags_1_word,tags_1_weight,tags_2_word,tags_2_weight\r\n');
    const rows = [
      [],
      [{ word: 'a', weight: 1 }],
      [
        { word: 'a', weight: 1 },
        { word: 'b,', weight: 0 },
      ],
    ].map((tags) => ({ tags, day: '2020-01-01' }));
    expect(rows.map((each) => csvLine(each, columns))).to.deep.equal([
      '2020-01-01,,,,\r\n',
      '2020-01-01,a,1,,\r\n',
      '2020-01-01,a,1,"b,",0\r\n',
    ]);
    expect(jsonLine(rows[1]!, namesOf(columns))).to.equal(
      '{"day":"2020-01-01","tags":[{"word":"a","weight":1}]}\n',
    );
  });

  it('is only the header line in CSV, and empty in NDJSON, if there are no rows', async () => {
    const none: Batches = async function* () {};
    expect(await served(none, 'csv', text)).to.equal('day,text,number,flag,nothing\r\n');
    expect(await served(none, 'ndjson', text)).to.equal('');
  });

  // A client must not mistake a part of the list for the whole list.
  it('ends with an aborted connection if reading fails after some rows', async () => {
    const failing: Batches = async function* () {
      yield [row];
      throw new Error('not readable any more');
    };
    for (const form of ['csv', 'ndjson'] as const) {
      const end = await served(failing, form, (url) =>
        text(url).then(
          () => 'whole',
          (error: Error) => error.message,
        ),
      );
      expect(end, form).to.equal('terminated');
    }
  });

  it('is no longer read after the client has disconnected', async () => {
    let batches = 0;
    const ended = Promise.withResolvers<void>();
    const endless: Batches = async function* () {
      try {
        for (;;) {
          batches += 1;
          yield Array.from({ length: 10_000 }, () => row);
        }
      } finally {
        ended.resolve();
      }
    };
    await served(endless, 'csv', async (url) => {
      const response = await fetch(url);
      const reader = response.body!.getReader();
      await reader.read();
      await reader.cancel();
      await ended.promise;
    });
    expect(batches).to.be.lessThan(1_000);
  });
});

describe('a list with keyset pagination', () => {
  it('is read in full in batches, each after the last row of the previous batch', async () => {
    const requested: (string | undefined)[] = [];
    const services = { query: (work: (em: never) => unknown) => work(undefined as never) };
    const list = keysetListing<number, { n: number }>(
      services as never,
      {},
      {
        list: '/x',
        filters: {},
        version: '1',
        rows: async (_em, { after, limit }) => {
          requested.push(after);
          const first = after === undefined ? 0 : Number(after) + 1;
          return Array.from({ length: Math.min(limit, 4_500 - first) }, (_, at) => first + at);
        },
        keyOf: String,
        present: (n) => ({ n }),
      },
    );
    const seen: unknown[] = [];
    for await (const batch of list.rows()) seen.push(...batch.map(({ n }) => n));
    expect(seen).to.deep.equal(Array.from({ length: 4_500 }, (_, at) => at));
    expect(requested).to.deep.equal([undefined, '1999', '3999']);
  });
});
