import { expect } from 'chai';
import Type from 'typebox';
import { exampleOf } from '#api/derive/example.ts';
import { faultsOf } from '#api/derive/faults.ts';
import { createAjv } from '#lib/core/ajv.ts';
import { Closed, Nullable } from '#lib/core/schema.ts';
import { faultyBodies, overfullBodies, wrongTexts } from './fields.ts';
import { operations } from './operations.ts';

/** A body with every kind of member that the operations may have. */
const Order = Closed({
  name: Type.String({ minLength: 2, maxLength: 5 }),
  code: Type.String({ pattern: '^[a-z]+$', examples: ['abc'] }),
  size: Type.Integer({ minimum: 1, maximum: 3 }),
  price: Type.Number({ minimum: 0.5, maximum: 1e6 }),
  live: Type.Boolean(),
  tier: Type.Enum(['T1', 'T2']),
  kind: Type.Literal('order'),
  note: Nullable(Type.String()),
  day: Type.Optional(Type.String({ format: 'date', examples: ['2020-09-30'] })),
  legs: Type.Array(Closed({ symbol: Type.String(), weight: Type.Number() }), { minItems: 1, maxItems: 2 }),
  limits: Closed({ daily: Type.Integer({ minimum: 0 }), inner: Closed({ on: Type.Boolean() }) }),
});

// The contract tests generate requests from the schemas, so the generator must not miss a member.
describe('the requests generated from a schema', () => {
  const valid = createAjv().compile(Order);
  const pointersOf = (body: unknown) =>
    valid(body) ? [] : [...new Set(faultsOf(valid.errors!, 'body').map(({ pointer }) => pointer))];

  it('start from a valid request that has every member', () => {
    const body = exampleOf(Order) as Record<string, unknown>;
    expect(pointersOf(body)).to.deep.equal([]);
    expect(Object.keys(body)).to.have.members(Object.keys(Order.properties));
    for (const { body: schema } of operations) {
      if (schema) expect(createAjv().compile(schema)(exampleOf(schema))).to.equal(true);
    }
  });

  it('are each invalid in exactly the member that they name', () => {
    const bodies = faultyBodies(Order);
    for (const { about, pointer, body } of bodies) {
      expect(pointersOf(body), `${pointer} ${about}`).to.deep.equal([pointer]);
    }
    const pointers = new Set(bodies.map(({ pointer }) => pointer));
    expect([...pointers]).to.include.members([
      ...Object.keys(Order.properties).map((name) => `/${name}`),
      '/legs/0',
      '/legs/0/symbol',
      '/legs/0/weight',
      '/limits/daily',
      '/limits/inner/on',
    ]);
  });

  it('omit each member, give it a wrong type or exceed its bounds', () => {
    const said = (pointer: string) =>
      faultyBodies(Order)
        .filter((each) => each.pointer === pointer)
        .map(({ about }) => about);
    expect(said('/name')).to.have.members([
      'null',
      'boolean',
      'integer',
      'number',
      'array',
      'object',
      'too short',
      'too long',
      'missing',
    ]);
    expect(said('/size')).to.include.members([
      'string',
      'number',
      'below the minimum',
      'above the maximum',
      'missing',
    ]);
    expect(said('/price')).to.not.include('integer');
    expect(said('/note')).to.not.include('null');
    expect(said('/day')).to.include('an invalid day').and.to.not.include('missing');
    expect(said('/legs')).to.include.members(['too few', 'too many']);
    expect(said('/tier')).to.include('not in the enumeration');
  });

  it('add an unknown member to each of their objects', () => {
    const bodies = overfullBodies(Order);
    for (const { pointer, body } of bodies) expect(pointersOf(body)).to.deep.equal([pointer]);
    expect(bodies.map(({ pointer }) => pointer)).to.include.members([
      '/surplus',
      '/legs/0/surplus',
      '/limits/inner/a~1b~0c',
    ]);
  });

  it('include query texts that are rejected only after conversion to values', () => {
    for (const schema of [
      Order.properties.size,
      Order.properties.price,
      Order.properties.live,
      Order.properties.tier,
    ]) {
      const query = createAjv({ coerceTypes: true }).compile(Closed({ it: schema }));
      expect(wrongTexts(schema)).to.not.deep.equal([]);
      for (const [about, text] of wrongTexts(schema))
        expect(query({ it: text }), `${about} ${text}`).to.equal(false);
    }
  });
});
