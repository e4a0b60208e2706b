import { expect } from 'chai';
import { catalog } from '#api/catalog.ts';
import { operationId } from '#api/derive/openapi.ts';
import { addressOf, API_PREFIX } from '#api/derive/router.ts';
import { createAjv } from '#lib/core/ajv.ts';
import { problems, type ProblemCode } from '#lib/core/problem.ts';
import { scopes } from '#lib/core/scope.ts';
import { checkSeal } from '#lib/core/seal.ts';
import { version } from '#lib/core/version.ts';
import { runs } from '#lib/runs.ts';
import { isExhaustive } from '../support/repetitions.ts';
import { describedAs, document, follow, whole, type Described, type Media, type Schema } from './document.ts';
import { faultyBodies } from './fields.ts';

describe('the OpenAPI document', () => {
  it('names its versions and describes each operation and the change ledger exactly once', () => {
    expect(document.openapi).to.match(/^3\.1\.\d+$/);
    expect(document.info.version).to.equal(version);
    const described = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(described).to.have.members([
      ...catalog.map((operation) => `${operation.method} ${addressOf(operation)}`),
      `GET ${API_PREFIX}/changes`,
    ]);
  });

  for (const [turn, operation] of catalog.entries()) {
    describe(`for ${operation.key}`, () => {
      const described = describedAs(operation);

      it('states the key, the id in camel case and the scope of the operation, and whether the operation is an addition', () => {
        expect(described['x-operation-key']).to.equal(operation.key);
        expect(described.operationId)
          .to.equal(operationId(operation.key))
          .and.to.match(/^[a-z][A-Za-z0-9]*$/);
        expect(described.security).to.deep.equal(
          operation.oauth ? [{ client: [] }, {}] : [{ bearer: [operation.scope] }],
        );
        expect(described['x-scope']).to.equal(operation.scope ?? undefined);
        if (!operation.oauth) expect(scopes).to.include(operation.scope);
        expect(described['x-addition']).to.equal(operation.addition ? true : undefined);
        expect(described.tags).to.deep.equal([operation.product]);
        expect(described.summary).to.match(/^[A-Z].*\.$/);
      });

      it('declares each parameter of the operation once, including every parameter of its path', () => {
        const inPath = described.parameters.filter((each) => each.in === 'path');
        const template = [...operation.path.matchAll(/\{([^}]+)\}/g)].map(([, name]) => name);
        expect(inPath.map(({ name }) => name)).to.deep.equal(template);
        for (const { name, required } of inPath) expect(required, name).to.equal(true);
        const names = described.parameters.map((each) => `${each.in} ${each.name}`);
        expect(new Set(names).size).to.equal(names.length);
      });

      it('describes the operation, its parameters, its headers, and every field of its bodies at any depth', () => {
        expect(described.description).to.match(/^[A-Z][^]*\.$/);
        for (const { name, description } of described.parameters) {
          expect(description, name).to.be.a('string').and.not.equal('');
        }
        for (const [status, { headers }] of Object.entries(described.responses)) {
          expect(headers, status).to.have.property('X-Request-Id');
          for (const [name, { description }] of Object.entries(headers)) {
            expect(description, `${status} ${name}`).to.be.a('string').and.not.equal('');
          }
        }
        for (const [where, { schema }] of mediaOf(described))
          expect(undescribed(schema, where)).to.deep.equal([]);
      });

      it('gives every integer of a request a minimum and a maximum', () => {
        const taken = [
          ...described.parameters.map(({ name, schema }) => [name, schema] as const),
          ...mediaOf({ ...described, responses: {} }).map(([where, { schema }]) => [where, schema] as const),
        ];
        for (const [where, schema] of taken) expect(unbounded(schema, where)).to.deep.equal([]);
      });

      it('gives schemas that accept the same values as the schemas of the operation', () => {
        const { body, success, accepted } = operation;
        const pairs = [
          [body, described.requestBody?.content],
          [success.schema, described.responses[success.status]!.content],
          [accepted, described.responses['202']?.content],
        ] as const;
        for (const [schema, content] of pairs) {
          expect(content !== undefined).to.equal(schema !== undefined);
          // A fault in the conversion of schemas affects every answer, so testing every fifth answer is
          // enough to find it.
          if (!schema || (schema !== body && turn % 5 > 0 && !isExhaustive)) continue;
          const [declared, shown] = [schema, content!['application/json']!.schema].map((each) =>
            compile(each),
          );
          const differing = faultyBodies(schema).filter((each) => shown!(each.body) !== declared!(each.body));
          expect(differing).to.deep.equal([]);
        }
      });

      it('shows a valid example of every body', () => {
        for (const [where, media] of mediaOf(described)) {
          const examples = examplesOf(media);
          expect(examples, where).to.not.deep.equal([]);
          const valid = compile(media.schema);
          for (const example of examples)
            expect(valid(example), `${where} ${JSON.stringify(valid.errors)}`).to.equal(true);
        }
      });

      it('shows an example of each problem under its status, with the code and title of the problem table', () => {
        // RFC 6749 defines the errors of OAuth operations, which have no code and no title of Assay.
        if (operation.oauth) return;
        for (const [status, { content = {} }] of Object.entries(described.responses)) {
          const shown = content['application/problem+json']?.examples ?? {};
          for (const [code, { value }] of Object.entries(shown)) {
            const { title } = problems[code as ProblemCode];
            expect(value).to.include({ code, title, status: Number(status), type: `/problems/${code}` });
          }
          const listed = listedCodes(described.responses[status]!);
          if (Number(status) >= 400) expect(Object.keys(shown)).to.have.members(listed);
        }
      });

      it('lists each declared problem under its status', () => {
        for (const code of operation.problems) {
          const { description, content } = described.responses[problems[code].status]!;
          expect(description).to.contain(`\`${code}\``);
          const media = content[operation.oauth ? 'application/json' : 'application/problem+json']!;
          expect(media.schema).to.have.property('title', operation.oauth ? 'OAuthError' : 'Problem');
        }
        if (operation.oauth) return;
        expect(Object.values(described.responses).flatMap(listedCodes)).to.include.members([
          'rate_limit_exceeded',
          'production_access_disabled',
          'credential_required',
          'invalid_token',
          'application_inactive',
          'entitlement_missing',
          'insufficient_scope',
          'validation_failed',
          'internal_error',
          'dependency_unavailable',
        ]);
      });

      it('lists each problem code once, under the status that the problem table states', () => {
        for (const [status, { description }] of Object.entries(described.responses)) {
          const codes = [...description.matchAll(/^`(\w+)`: (.+)\.$/gm)];
          if (Number(status) >= 400) expect(codes).to.not.deep.equal([]);
          for (const [, code, title] of codes) {
            expect(problems)
              .to.have.property(code!)
              .that.deep.equals({ status: Number(status), title });
          }
          expect(new Set(codes.map(([, code]) => code)).size).to.equal(codes.length);
        }
      });

      it('has schemas, examples and defaults that pass a strict JSON Schema 2020-12 validator', () => {
        for (const [where, { schema }] of mediaOf(described)) {
          expect(() => compile(schema), where).to.not.throw();
          expect(unfit(schema, where)).to.deep.equal([]);
        }
      });
    });
  }

  it('lists all codes that share a status under that status', () => {
    const shared = Object.values(whole.paths)
      .flatMap((methods) => Object.values(methods))
      .flatMap(({ responses }) => Object.values(responses))
      .filter(({ description }) => description.split('\n').length > 1);
    expect(shared.length).to.be.greaterThan(catalog.length);
  });

  it('describes exactly the tags that it uses', () => {
    const used = Object.values(document.paths).flatMap((methods) =>
      Object.values(methods).flatMap(({ tags }) => tags),
    );
    expect(document.tags.map(({ name }) => name)).to.have.members([...new Set(used)]);
    for (const { name, description } of document.tags) expect(description, name).to.match(/\.$/);
  });

  it('describes the change ledger as an operation without a credential', () => {
    const { get } = whole.paths[`${API_PREFIX}/changes`]!;
    expect(get!.security).to.deep.equal([]);
    for (const [where, { schema, ...media }] of mediaOf(get!)) {
      expect(undescribed(schema, where)).to.deep.equal([]);
      const valid = compile(schema);
      for (const example of examplesOf({ schema, ...media })) expect(valid(example), where).to.equal(true);
    }
  });

  it('shows sealed runs with valid seals', () => {
    const shown = Object.values(runs).flatMap(({ example }) => example ?? []);
    expect(shown).to.not.deep.equal([]);
    const values = Object.values(document.components.examples).map(({ value }) => value);
    for (const example of shown) {
      expect(checkSeal(example)).to.include({ intact: true });
      expect(values).to.deep.include(example);
    }
  });

  it('has references that all resolve', () => {
    const references = [...walk(document)].flatMap(([, node]) =>
      typeof node['$ref'] === 'string' ? [node['$ref']] : [],
    );
    expect(references).to.not.deep.equal([]);
    for (const reference of new Set(references)) expect(follow(reference), reference).to.be.an('object');
  });

  it('has a problem schema with exactly the codes of the table', () => {
    const { properties } = whole.components.schemas['Problem'] as {
      properties: { code: { enum: string[] } };
    };
    expect(properties.code.enum).to.have.members(Object.keys(problems));
    expect(() => compile(whole.components.schemas['Problem']!)).to.not.throw();
  });

  it('has checks that find a field without a description, a wrong example and a dangling reference', () => {
    const schema = {
      type: 'object',
      properties: { a: { type: 'array', items: { type: 'object', properties: { b: { type: 'integer' } } } } },
    };
    expect(undescribed(schema, '')).to.deep.equal(['/a', '/a/b']);
    expect(unfit({ type: 'integer', examples: ['x'], default: 'y' }, 'it')).to.have.lengthOf(2);
    expect(follow('#/components/schemas/Missing')).to.equal(undefined);
    expect(() => compile({ typ: 'object' })).to.throw('unknown keyword');
  });
});

function listedCodes({ description }: { description: string }): string[] {
  return [...description.matchAll(/^`(\w+)`/gm)].map(([, code]) => code!);
}

/** Returns every request and response body, with its location in the document. */
function mediaOf({
  requestBody,
  responses,
}: Pick<Described, 'requestBody' | 'responses'>): [string, Media][] {
  return [
    ...Object.values(requestBody?.content ?? {}).map((media): [string, Media] => ['body', media]),
    ...Object.entries(responses).flatMap(([status, { content = {} }]) =>
      Object.values(content).map((media): [string, Media] => [status, media]),
    ),
  ];
}

function examplesOf({ example, examples }: Media): unknown[] {
  return [
    ...(example === undefined ? [] : [example]),
    ...Object.values(examples ?? {}).map(({ value }) => value),
  ];
}

/** Returns the fields of a schema, at any depth, that have no description. */
function undescribed(schema: Schema, pointer: string): string[] {
  const fields = Object.entries((schema['properties'] ?? {}) as Record<string, Schema>);
  const items = schema['items'] as Schema | undefined;
  const branches = ['anyOf', 'oneOf', 'allOf'].flatMap((key) => (schema[key] ?? []) as Schema[]);
  return [
    ...fields.flatMap(([name, field]) => [
      ...(field['description'] ? [] : [`${pointer}/${name}`]),
      ...undescribed(field, `${pointer}/${name}`),
    ]),
    ...(items ? undescribed(items, pointer) : []),
    ...branches.flatMap((branch) => undescribed(branch, pointer)),
  ];
}

/** Returns integers at any depth without a minimum or a maximum. */
function unbounded(schema: Schema, where: string): string[] {
  return [...walk(schema, where)]
    .filter(([, node]) => node['type'] === 'integer' && !('enum' in node) && !('const' in node))
    .filter(([, node]) => !('minimum' in node) || !('maximum' in node))
    .map(([at]) => at);
}

const ajv = createAjv();
const compiled = new Map<string, ReturnType<typeof ajv.compile>>();

/** Schemas with the same JSON text are compiled once, because many operations repeat them. */
function compile(schema: object): ReturnType<typeof ajv.compile> {
  const text = JSON.stringify(schema);
  const known = compiled.get(text) ?? ajv.compile(schema);
  compiled.set(text, known);
  return known;
}

/** Returns examples and defaults, at any depth, that their own schema rejects. */
function unfit(schema: Schema, where: string): string[] {
  return [...walk(schema, where)].flatMap(([at, node]) => {
    const isSchema = ['type', 'enum', 'const', 'anyOf', 'properties'].some((keyword) =>
      Object.hasOwn(node, keyword),
    );
    const shown = isSchema
      ? [...((node['examples'] ?? []) as unknown[]), ...('default' in node ? [node['default']] : [])]
      : [];
    if (shown.length === 0) return [];
    const valid = compile(node);
    return shown.filter((value) => !valid(value)).map((value) => `${at}: ${JSON.stringify(value)}`);
  });
}

/** Returns every object inside a value, starting with the value itself. */
function* walk(value: unknown, at = ''): Generator<[string, Schema]> {
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) yield [at, value as Schema];
  for (const [name, inner] of Object.entries(value)) yield* walk(inner, `${at}/${name}`);
}
