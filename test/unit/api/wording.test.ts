import { expect } from 'chai';
import Type from 'typebox';
import { createComponents } from '#api/derive/components.ts';
import { exampleOf } from '#api/derive/example.ts';
import { Closed, Nullable } from '#lib/core/schema.ts';

const Cat = Closed(
  { kind: Type.Literal('cat'), lives: Type.Integer() },
  { title: 'Cat', description: 'A cat.' },
);
const Dog = Closed({ kind: Type.Enum(['dog', 'wolf']), tail: Type.Boolean() }, { title: 'Dog' });

describe('the schemas of the OpenAPI document', () => {
  const describeIn = (schema: Parameters<ReturnType<typeof createComponents>['describe']>[0]) => {
    const components = createComponents();
    return { said: components.describe(schema), schemas: components.parts.schemas };
  };

  it('list null among the types of nullable values', () => {
    const { said } = describeIn(Nullable(Type.Number({ minimum: 0 }), 'A share, or null.'));
    expect(said).to.deep.equal({ type: ['number', 'null'], minimum: 0, description: 'A share, or null.' });
    expect(describeIn(Nullable(Type.Enum(['a', 'b']))).said).to.deep.equal({
      type: ['string', 'null'],
      enum: ['a', 'b', null],
    });
  });

  it('leave a union unchanged unless it only adds null to a type', () => {
    for (const schema of [
      Type.Union([Type.String(), Type.Integer()]),
      Nullable(Type.Literal('a')),
      Type.Union([Type.String(), Type.Integer(), Type.Null()]),
    ]) {
      expect(describeIn(schema).said).to.deep.equal(JSON.parse(JSON.stringify(schema)));
    }
  });

  it('describe a map by the schema of its values, and an enumeration of strings with the type string', () => {
    expect(describeIn(Type.Record(Type.String(), Type.Enum(['a']))).said).to.deep.equal({
      type: 'object',
      additionalProperties: { type: 'string', enum: ['a'] },
    });
    expect(describeIn(Type.Record(Type.String({ pattern: '^a' }), Type.Number())).said).to.have.property(
      'patternProperties',
    );
  });

  it('define a titled schema once and refer to its nullable form under another name', () => {
    const { said, schemas } = describeIn(Closed({ a: Cat, b: Type.Array(Cat), c: Nullable(Cat) }));
    expect(said['properties']).to.deep.equal({
      a: { $ref: '#/components/schemas/Cat' },
      b: { type: 'array', items: { $ref: '#/components/schemas/Cat' } },
      c: { $ref: '#/components/schemas/NullableCat' },
    });
    expect(Object.keys(schemas)).to.have.members(['Cat', 'NullableCat']);
    expect(schemas['NullableCat']).to.have.property('type').that.deep.equals(['object', 'null']);
  });

  it('reject the same title for two schemas', () => {
    const other = Closed({ size: Type.Integer() }, { title: 'Cat', description: 'A cat.' });
    expect(() => describeIn(Closed({ a: Cat, b: other }))).to.throw('two schemas are named Cat');
  });

  it('declare a discriminator for a union only if one member distinguishes all its schemas', () => {
    const { said } = describeIn(Type.Union([Cat, Dog]));
    expect(said).to.have.property('oneOf').with.lengthOf(2);
    expect(said['discriminator']).to.deep.equal({
      propertyName: 'kind',
      mapping: {
        cat: '#/components/schemas/Cat',
        dog: '#/components/schemas/Dog',
        wolf: '#/components/schemas/Dog',
      },
    });
    const Puma = Closed({ kind: Type.Literal('cat') }, { title: 'Puma' });
    expect(describeIn(Type.Union([Cat, Puma])).said).to.have.property('anyOf');
  });

  it('give an object an example made of the examples of its members, with null for a nullable object', () => {
    const schema = Closed({
      name: Type.String({ examples: ['Ann'] }),
      size: Nullable(Type.Integer({ minimum: 5 })),
      pet: Nullable(Cat),
      tags: Type.Array(Type.Enum(['x', 'y'])),
    });
    expect(exampleOf(schema)).to.deep.equal({ name: 'Ann', size: 5, pet: null, tags: ['x'] });
  });
});
