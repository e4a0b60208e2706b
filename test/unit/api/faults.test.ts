import { expect } from 'chai';
import Type, { type TSchema } from 'typebox';
import { faultsOf } from '#api/derive/faults.ts';
import { createAjv } from '#lib/core/ajv.ts';
import { Closed } from '#lib/core/schema.ts';

function faults(schema: TSchema, value: unknown) {
  const valid = createAjv().compile(schema);
  expect(valid(value)).to.equal(false);
  return faultsOf(valid.errors!, 'body');
}

describe('faults of a request', () => {
  it('point to the member with the wrong type, at any depth', () => {
    const schema = Closed({ rows: Type.Array(Closed({ size: Type.Integer() })) });
    expect(faults(schema, { rows: [{ size: 1 }, { size: 'x' }] })).to.deep.equal([
      { pointer: '/rows/1/size', in: 'body', code: 'type', message: 'must be integer' },
    ]);
  });

  it('point to the missing member and not to the object that must contain the member', () => {
    const schema = Closed({ row: Closed({ size: Type.Integer() }) });
    expect(faults(schema, { row: {} })).to.deep.equal([
      { pointer: '/row/size', in: 'body', code: 'required', message: 'is required' },
    ]);
  });

  it('point to the unknown member', () => {
    expect(faults(Closed({ row: Closed({}) }), { row: { more: 1 } })).to.deep.equal([
      { pointer: '/row/more', in: 'body', code: 'unknown_field', message: 'is not a known member' },
    ]);
  });

  it('point to a member that is unknown in all branches of a choice', () => {
    const schema = {
      type: 'object',
      allOf: [{ properties: { a: { type: 'string' } } }, { properties: { b: { type: 'string' } } }],
      unevaluatedProperties: false,
    } as TSchema;
    expect(faults(schema, { a: '', c: 1 }).map(({ pointer, code }) => [pointer, code])).to.deep.equal([
      ['/c', 'unknown_field'],
    ]);
  });

  it('escape member names exactly once, as JSON pointers require', () => {
    const schema = Closed({ 'a/b~c': Closed({}) });
    expect(faults(schema, { 'a/b~c': { 'd/e~f': 1 } })[0]!.pointer).to.equal('/a~1b~0c/d~1e~0f');
    expect(faults(Closed({ '~1': Type.String() }), {})[0]!.pointer).to.equal('/~01');
    expect(faults(Closed({ 'a/b': Type.String() }), { 'a/b': 1 })[0]!.pointer).to.equal('/a~1b');
  });

  it('list the allowed values of an enumeration', () => {
    expect(faults(Closed({ state: Type.Enum(['queued', 'running']) }), { state: 'x' })).to.deep.equal([
      { pointer: '/state', in: 'body', code: 'enum', message: 'must be one of queued, running' },
    ]);
  });

  it('refer only to the variant that the member `kind` of an object selects', () => {
    const kindOf = (kind: string) =>
      Closed({ kind: Type.Literal(kind), [kind]: Type.Integer(), more: Type.Optional(Type.Integer()) });
    const schema = Closed({ one: Type.Union(['a', 'b', 'c'].map(kindOf)) });
    const found = (value: unknown) =>
      faults(schema, { one: value }).map(({ pointer, code, message }) => [pointer, code, message]);
    expect(found({ kind: 'b', b: 'x' })).to.deep.equal([['/one/b', 'type', 'must be integer']]);
    expect(found({ kind: 'd', b: 'x' })).to.deep.equal([['/one/kind', 'enum', 'must be one of a, b, c']]);
    expect(found({ b: 1 })).to.deep.equal([['/one', 'discriminator', 'must have the member kind']]);
    const rows = Closed({ rows: Type.Array(Type.Union(['a', 'b'].map(kindOf))) });
    const value = { rows: [{ kind: 'a', a: 'x' }, { kind: 'b' }] };
    expect(faults(rows, value).map(({ pointer }) => pointer)).to.deep.equal(['/rows/0/a', '/rows/1/b']);
    expect(found('b')).to.deep.equal([['/one', 'type', 'must be object']]);
  });

  it('have codes in snake case', () => {
    const schema = Closed({
      few: Type.Array(Type.Integer(), { minItems: 2 }),
      long: Type.String({ maxLength: 1 }),
      below: Type.Number({ exclusiveMinimum: 0 }),
      form: Type.String({ format: 'date' }),
      same: Type.Array(Type.Integer(), { uniqueItems: true }),
    });
    const value = { few: [], long: 'xx', below: 0, form: 'x', same: [1, 1] };
    expect(faults(schema, value).map(({ pointer, code }) => [pointer, code])).to.have.deep.members([
      ['/few', 'min_items'],
      ['/long', 'max_length'],
      ['/below', 'exclusive_minimum'],
      ['/form', 'format'],
      ['/same', 'unique_items'],
    ]);
  });

  it('are listed all together, each with the part of the request that has the fault', () => {
    const valid = createAjv().compile(Closed({ a: Type.Integer(), b: Type.Integer() }));
    valid({ a: 'x', c: 1 });
    const all = faultsOf(valid.errors!, 'query');
    expect(all.map(({ pointer }) => pointer)).to.have.members(['/a', '/b', '/c']);
    for (const fault of all) expect(fault.in).to.equal('query');
  });

  it('contain the error of an if-then rule, but not the error of its condition', () => {
    const schema = {
      type: 'object',
      properties: { kind: { type: 'string' }, limit: {} },
      if: { properties: { kind: { const: 'bounded' } } },
      // oxlint-disable-next-line no-thenable -- then is a keyword of JSON Schema
      then: { properties: { limit: {} }, required: ['limit'] },
    } as unknown as TSchema;
    expect(faults(schema, { kind: 'bounded' })).to.deep.equal([
      { pointer: '/limit', in: 'body', code: 'required', message: 'is required' },
    ]);
  });

  // The size of a response must not grow with the number of faults in the request.
  it('are limited to fifty in one response', () => {
    const value = Object.fromEntries(Array.from({ length: 1_000 }, (_, at) => [`field${at}`, 1]));
    expect(faults(Closed({}), value)).to.have.lengthOf(50);
  });
});
