import { expect } from 'chai';
import type { TObject } from 'typebox';
import { catalog } from '#api/catalog.ts';
import { exampleOf } from '#api/derive/example.ts';
import { rowOf } from '#api/derive/router.ts';
import { listForms } from '#api/http/listing.ts';
import type { Operation } from '#lib/core/operation.ts';
import { splitCsvLine } from '#lib/data/import/readers/csv-line.ts';
import { buildTenancy, type Tenancy } from '../support/build.ts';
import { onOneBackend } from '../support/live.ts';
import { call, expectInvalid, expectListed, expectProblem, type Answer } from './call.ts';
import { describedAs } from './document.ts';
import { make } from './resources.ts';

const streamed = catalog.filter((operation) => operation.streamed);

type Cells = Record<string, string>;

onOneBackend('Every list of observations', (live) => {
  for (const operation of streamed) {
    describe(operation.key, () => {
      let tenancy: Tenancy;
      let parameter: string;
      before(async () => {
        tenancy = await buildTenancy(live());
        parameter = await make(live(), operation, tenancy);
      });

      const ask = (accept: string, query = '', headers: Record<string, string> = {}): Promise<Answer> =>
        call(live(), operation, {
          key: tenancy.key,
          parameter,
          query,
          headers: { ...(accept === '' ? {} : { accept }), ...headers },
        });
      const names = Object.entries(rowOf(operation).properties).flatMap(([name, schema]) => {
        const { items, maxItems = 0 } = schema as { items?: TObject; maxItems?: number };
        if (!items) return [name];
        const numbers = Array.from({ length: maxItems }, (_, at) => at + 1);
        const members = Object.keys(items.properties);
        return numbers.flatMap((number) => members.map((member) => `${name}_${number}_${member}`));
      });

      it('has rows of plain values and short lists of flat objects, and documents the formats it offers', () => {
        for (const [name, schema] of Object.entries(rowOf(operation).properties)) {
          const { items, maxItems } = schema as { items?: TObject; maxItems?: number };
          if (items) expect(maxItems, name).to.be.within(1, 5);
          const nested = items ? Object.values(items.properties) : [schema];
          expect(JSON.stringify(nested), name).to.not.match(/"type":"(object|array)"/);
        }
        const { content } = describedAs(operation).responses['200']!;
        expect(Object.keys(content)).to.have.members(Object.values(listForms));
      });

      it('200 returns the same rows as JSON, CSV and JSON lines', async () => {
        const page = await ask('application/json');
        const rows: Record<string, unknown>[] = page.body.data;
        expect(rows).to.not.deep.equal([]);

        const csv = await ask('text/csv');
        expect(csv.status).to.equal(200);
        expect(csv.headers.get('content-type')).to.equal('text/csv; charset=utf-8');
        const [header, ...lines] = (csv.body as string).split('\r\n').map((line) => splitCsvLine(line)!);
        expect(header).to.deep.equal(names);
        expect(lines.pop()).to.deep.equal(['']);
        const cells = lines.map((line) => Object.fromEntries(line.map((cell, at) => [names[at], cell])));
        const texts = rows.map((row) => {
          const numbered = Object.entries(row).flatMap(([name, value]) =>
            Array.isArray(value)
              ? value.flatMap((item: object, at) =>
                  Object.entries(item).map(([member, cell]) => [`${name}_${at + 1}_${member}`, cell]),
                )
              : [[name, value]],
          );
          const held = Object.fromEntries(numbered) as Record<string, unknown>;
          return Object.fromEntries(names.map((name) => [name, String(held[name] ?? '')]));
        });
        expect(cells).to.deep.equal(texts satisfies Cells[]);

        const ndjson = await ask('application/x-ndjson');
        expect(ndjson.status).to.equal(200);
        expect(ndjson.headers.get('content-type')).to.match(/^application\/x-ndjson/);
        const parsed = (ndjson.body as string).trimEnd().split('\n');
        expect(parsed.map((line) => JSON.parse(line))).to.deep.equal(rows);
      });

      it('200 returns the preferred format, or JSON if every format is accepted', async () => {
        for (const [accept, type] of [
          ['', 'application/json'],
          ['*/*', 'application/json'],
          ['text/*', 'text/csv'],
          ['text/csv;q=0.5, application/json', 'application/json'],
          ['text/csv, application/json;q=0.5', 'text/csv'],
          ['application/xml, application/x-ndjson;q=0.1', 'application/x-ndjson'],
        ] as const) {
          const { status, headers } = await ask(accept);
          expect(status, accept).to.equal(200);
          expect(headers.get('content-type'), accept).to.contain(type);
          expect(headers.get('vary'), accept).to.match(/accept/i);
        }
      });

      it('406 if none of the formats is accepted', async () => {
        for (const accept of ['application/xml', 'image/*', 'application/json;q=0']) {
          const answer = await ask(accept);
          expectProblem(answer, 'not_acceptable', accept);
          expectListed(answer, operation);
        }
      });

      it('304 only if the caller already has the requested format', async () => {
        const etags = new Map<string, string>();
        for (const type of Object.values(listForms)) {
          const { headers } = await ask(type);
          expect(headers.get('etag'), type).to.match(/^"[0-9a-f]{32}"$/);
          etags.set(type, headers.get('etag')!);
        }
        expect(new Set(etags.values()).size).to.equal(etags.size);
        for (const [type, etag] of etags) {
          const held = await ask(type, '', { 'if-none-match': etag });
          expect(held.status, type).to.equal(304);
          expect(held.body, type).to.equal('');
          expect(held.headers.get('etag')).to.equal(etag);
          const others = [...etags.values()].filter((each) => each !== etag).join(', ');
          expect((await ask(type, '', { 'if-none-match': others })).status, type).to.equal(200);
          expect((await ask(type, filterOf(operation), { 'if-none-match': etag })).status, type).to.equal(
            200,
          );
        }
      });

      it('422 for a page request in a format without pagination', async () => {
        for (const type of [listForms.csv, listForms.ndjson]) {
          expectInvalid(await ask(type, '?limit=10'), 'query', ['/limit'], type);
          expectInvalid(await ask(type, '?cursor=x'), 'query', ['/cursor'], type);
        }
      });
    });
  }

  it('exists for at least one operation', () => {
    expect(streamed.length).to.be.greaterThan(2);
  });
});

/** Returns a query that filters the list: by the as-of day or, if the list has no as-of day, by its first filter. */
function filterOf({ query }: Operation): string {
  const filters = Object.entries((query as TObject).properties).filter(
    ([name]) => !['limit', 'cursor'].includes(name),
  );
  if (filters.some(([name]) => name === 'as_of')) return '?as_of=2020-06-03';
  const [name, schema] = filters[0]!;
  return `?${name}=${encodeURIComponent(String(exampleOf(schema)))}`;
}
