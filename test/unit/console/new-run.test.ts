import { expect } from 'chai';
import fc from 'fast-check';
import Type from 'typebox';
import '#api/catalog.ts';
import { bodyCheck } from '#api/derive/checker.ts';
import { exampleOf } from '#api/derive/example.ts';
import { runRoutes } from '#api/run-routes.ts';
import { curlOf } from '#api/console/runs/new/curl.ts';
import { entriesOf, requestOf } from '#api/console/runs/new/entries.ts';
import { fieldsOf } from '#api/console/runs/new/fields.ts';
import { faultsView, fieldsView } from '#api/console/runs/new/form-view.ts';
import { forecastsRun } from '#lib/forecasting/forecasts.run.ts';

const shock = Type.Object({
  factor: Type.String(),
  shock: Type.Number(),
  unit: Type.Optional(Type.Enum(['percent', 'deviations'])),
});
const schema = Type.Object({
  name: Type.String({ description: 'The name of the run.' }),
  months: Type.Optional(Type.Integer({ minimum: 1, maximum: 12, default: 3 })),
  net: Type.Optional(Type.Boolean()),
  levels: Type.Optional(Type.Array(Type.Number())),
  parts: Type.Optional(Type.Array(Type.Enum(['mean', 'risk']))),
  rates: Type.Optional(Type.Object({ short: Type.Number(), long: Type.Number() })),
  stress: Type.Optional(Type.Array(shock)),
  source: Type.Optional(
    Type.Union([
      Type.Object({ kind: Type.Literal('a') }),
      Type.Object({ kind: Type.Literal('b'), at: Type.Integer() }),
    ]),
  ),
});
const fields = fieldsOf(schema);
const kindOf = (member: string) => fields.find((field) => field.member === member)?.kind;

describe('the form of a new run', () => {
  it('has a field for each member of a request, by the type of the member', () => {
    expect(fields.map(({ member }) => kindOf(member))).to.deep.equal([
      'scalar',
      'scalar',
      'truth',
      'lines',
      'choices',
      'group',
      'rows',
      'json',
    ]);
  });

  it('states the request that its texts contain, and leaves out members without a text', () => {
    const entries = {
      '/name': ' Budget ',
      '/months': '',
      '/net': 'false',
      '/levels': '0.5\n0.9, 1e-2\n',
      '/parts/1': 'risk',
      '/rates/short': '-2.5',
      '/stress/1/factor': 'XOM',
      '/stress/1/shock': '-15',
      '/source': '{"kind":"b","at":3}',
    };
    const { request, faults } = requestOf(fields, entries);
    expect(faults).to.deep.equal([]);
    expect(request).to.deep.equal({
      name: 'Budget',
      net: false,
      levels: [0.5, 0.9, 0.01],
      parts: ['risk'],
      rates: { short: -2.5 },
      stress: [{ factor: 'XOM', shock: -15 }],
      source: { kind: 'b', at: 3 },
    });
  });

  it('shows each fault at the field of its member, also in a later row and in a text that is not JSON', () => {
    const entries = {
      '/months': 'ten',
      '/stress/3/factor': 'XOM',
      '/stress/3/shock': 'much',
      '/source': '{',
    };
    const { request, faults, placeOf } = requestOf(fields, entries);
    const found = bodyCheck(schema)(request).map((fault) => ({ ...fault, pointer: placeOf(fault.pointer) }));
    const all = [...faults, ...found];
    expect(all.map(({ pointer }) => pointer)).to.have.members([
      '/source',
      '/name',
      '/months',
      '/stress/3/shock',
    ]);
    const { markup } = fieldsView(fields, { entries, faults: all });
    for (const id of ['f-name', 'f-months', 'f-stress-3-shock', 'f-source']) {
      expect(markup, id).to.match(new RegExp(`id="${id}"[^>]*aria-invalid="true"`));
      expect(markup, id).to.include(`id="${id}-fault"`);
    }
    expect(markup).to.match(/<details class="more-fields" open/);
    expect(faultsView(fields, { faults: all }).markup).to.include('href="#f-stress"');
  });

  it('requires a member of an optional object only if the object is entered', () => {
    const { markup } = fieldsView(fields, { entries: {}, faults: [] });
    expect(markup).to.match(/id="f-name"[^>]* required/);
    expect(markup).to.not.match(/id="f-rates-short"[^>]* required/);
    expect(requestOf(fields, { '/name': 'a' }).request).to.deep.equal({ name: 'a' });
  });

  it('shows the texts of a person again without markup', () => {
    const nasty = '"><script>alert(1)</script>';
    const entries = { '/name': nasty, '/source': nasty, '/levels': nasty };
    expect(fieldsView(fields, { entries, faults: [] }).markup).to.not.include('<script');
  });

  it('states any request again from the texts that show it', () => {
    const text = fc.stringMatching(/^[a-z]{1,8}$/);
    const finite = fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0);
    const request = fc.record(
      {
        name: text,
        months: fc.integer(),
        net: fc.boolean(),
        levels: fc.array(finite, { minLength: 1 }),
        parts: fc.constantFrom(['mean'], ['risk'], ['mean', 'risk']),
        rates: fc.record({ short: finite, long: finite }),
        stress: fc.array(fc.record({ factor: text, shock: finite }), { minLength: 1, maxLength: 9 }),
        source: fc.constant({ kind: 'b', at: 3 }),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(request, (given) => {
        expect(requestOf(fields, entriesOf(fields, given)).request).to.deep.equal(given);
      }),
    );
  });

  it('reads and shows every text without an error', () => {
    const names = [
      '/name',
      '/months',
      '/stress',
      '/stress/0',
      '/stress/0/factor',
      '/source',
      '__proto__',
      '',
    ];
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom(...names), fc.string()), (entries) => {
        const { request, faults } = requestOf(fields, entries);
        fieldsView(fields, { entries, faults: [...faults, ...bodyCheck(schema)(request)] });
      }),
    );
  });

  for (const { run } of runRoutes())
    it(`states the example of the request of ${run.key}`, () => {
      const own = fieldsOf(run.request);
      const example = exampleOf(run.request) as Record<string, unknown>;
      const { request, faults } = requestOf(own, entriesOf(own, example));
      expect(faults).to.deep.equal([]);
      const isEmpty = (value: unknown) => value === null || JSON.stringify(value) === '[]';
      for (const [name, value] of Object.entries(example))
        if (!isEmpty(value)) expect(request[name], name).to.deep.equal(value);
      fieldsView(own, { entries: entriesOf(own, example), faults: [] });
    });

  it('writes a request as a curl command, with the members in the query, the path and the body', () => {
    const route = runRoutes().find(({ run }) => run.key === forecastsRun.key)!;
    expect(curlOf(route, { metric: "o'neil", horizon: 8, method: 'theta' })).to.equal(
      [
        'curl -s "$API/planning/forecasts?method=theta"',
        '-H "Authorization: Bearer $KEY"',
        "-H 'Content-Type: application/json'",
        String.raw`-d '{"metric":"o'\''neil","horizon":8}'`,
      ].join(' \\\n  '),
    );
  });
});
