import { expect } from 'chai';
import { catalog } from '#api/catalog.ts';
import { openApi, operationId } from '#api/derive/openapi.ts';
import { API_PREFIX } from '#api/derive/router.ts';
import { createAjv } from '#lib/core/ajv.ts';
import type { Operation } from '#lib/core/operation.ts';
import { problems } from '#lib/core/problem.ts';
import { scopes } from '#lib/core/scope.ts';
import { version } from '#lib/core/version.ts';

type Schema = Record<string, unknown>;
type Content = Record<string, { schema: Schema }>;
type Described = {
  operationId: string;
  tags: string[];
  summary: string;
  security: { bearer: string[] }[];
  parameters: { name: string; in: string; required: boolean; description?: string; schema: Schema }[];
  requestBody?: { required: boolean; content: Content };
  responses: Record<string, { description: string; content: Content }>;
} & Record<string, unknown>;

/** As a reader gets it: what JSON drops is gone. */
const document = JSON.parse(JSON.stringify(openApi(catalog, version))) as {
  openapi: string;
  info: { version: string };
  paths: Record<string, Record<string, Described>>;
  components: { schemas: Record<string, Schema>; securitySchemes: Record<string, unknown> };
};

describe('the OpenAPI document', () => {
  it('is of version 3.1, names the running version, and describes each operation and the change ledger once and nothing else', () => {
    expect(document.openapi).to.match(/^3\.1\.\d+$/);
    expect(document.info.version).to.equal(version);
    const described = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(described).to.have.members([
      ...catalog.map(({ method, path }) => `${method} ${API_PREFIX}${path}`),
      `GET ${API_PREFIX}/changes`,
    ]);
  });

  for (const operation of catalog) {
    describe(`for ${operation.key}`, () => {
      const described = document.paths[API_PREFIX + operation.path]![operation.method.toLowerCase()]!;

      it('gives its key, its id in camel case, its scope and whether it is an addition', () => {
        expect(described['x-operation-key']).to.equal(operation.key);
        expect(described.operationId)
          .to.equal(operationId(operation.key))
          .and.to.match(/^[a-z][A-Za-z0-9]*$/);
        expect(described.security).to.deep.equal([{ bearer: [operation.scope] }]);
        expect(described['x-scope']).to.equal(operation.scope);
        expect(scopes).to.include(operation.scope);
        expect(described['x-addition']).to.equal(operation.addition ? true : undefined);
        expect(described.tags).to.deep.equal([operation.product]);
        expect(described.summary).to.match(/^[A-Z].*\.$/);
      });

      it('names the parameters of its path, and no parameter twice', () => {
        const inPath = described.parameters.filter((each) => each.in === 'path');
        const template = [...operation.path.matchAll(/\{([^}]+)\}/g)].map(([, name]) => name);
        expect(inPath.map(({ name }) => name)).to.deep.equal(template);
        for (const { name, required } of inPath) expect(required, name).to.equal(true);
        const names = described.parameters.map((each) => `${each.in} ${each.name}`);
        expect(new Set(names).size).to.equal(names.length);
      });

      it('describes every parameter, and every field of its body at any depth', () => {
        for (const { name, description, schema } of described.parameters) {
          expect(description, name).to.be.a('string').and.not.equal('');
          expect(schema, name).to.be.an('object');
        }
        const body = described.requestBody?.content['application/json']!.schema;
        expect(body ? undescribed(body, '') : []).to.deep.equal([]);
      });

      it('gives the schema of its success, and of a 202 where it can answer one', () => {
        const { status, schema } = operation.success;
        expect(described.responses[status]!.content['application/json']!.schema).to.deep.equal(plain(schema));
        const accepted = described.responses['202']?.content['application/json']!.schema;
        expect(accepted).to.deep.equal(operation.accepted && plain(operation.accepted));
      });

      it('lists each problem that it declares under its status, together with others of that status', () => {
        for (const code of operation.problems) {
          const { description, content } = described.responses[problems[code].status]!;
          expect(description).to.contain(`\`${code}\``);
          expect(content['application/problem+json']!.schema).to.deep.equal({
            $ref: '#/components/schemas/Problem',
          });
        }
        expect(listedCodes(described)).to.include.members([
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

      it('lists under each status only codes of the table that have it, each once', () => {
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

      it('has schemas that a strict 2020-12 validator compiles, with examples and defaults that fit', () => {
        for (const [where, schema] of schemasOf(described)) {
          expect(() => compile(schema), where).to.not.throw();
          expect(unfit(schema, where)).to.deep.equal([]);
        }
      });
    });
  }

  it('has several codes under one status where they share it', () => {
    const shared = Object.values(document.paths)
      .flatMap((methods) => Object.values(methods))
      .flatMap(({ responses }) => Object.values(responses))
      .filter(({ description }) => description.split('\n').length > 1);
    expect(shared.length).to.be.greaterThan(catalog.length);
  });

  it('has references that all lead somewhere', () => {
    const references = [...walk(document)].flatMap(([, node]) =>
      typeof node['$ref'] === 'string' ? [node['$ref']] : [],
    );
    expect(references).to.not.deep.equal([]);
    for (const reference of new Set(references)) expect(resolve(reference), reference).to.be.an('object');
  });

  it('has a problem schema that knows exactly the codes of the table', () => {
    const { properties } = document.components.schemas['Problem'] as {
      properties: { code: { enum: string[] } };
    };
    expect(properties.code.enum).to.have.members(Object.keys(problems));
    expect(() => compile(document.components.schemas['Problem']!)).to.not.throw();
  });

  it('would be found out by a field without a description, a false example and a loose reference', () => {
    const schema = {
      type: 'object',
      properties: { a: { type: 'array', items: { type: 'object', properties: { b: { type: 'integer' } } } } },
    };
    expect(undescribed(schema, '')).to.deep.equal(['/a', '/a/b']);
    expect(unfit({ type: 'integer', examples: ['x'], default: 'y' }, 'it')).to.have.lengthOf(2);
    expect(resolve('#/components/schemas/Missing')).to.equal(undefined);
    expect(() => compile({ typ: 'object' })).to.throw('unknown keyword');
  });
});

function plain(schema: Operation['success']['schema']): unknown {
  return JSON.parse(JSON.stringify(schema));
}

function listedCodes({ responses }: Described): string[] {
  return Object.values(responses).flatMap(({ description }) =>
    [...description.matchAll(/^`(\w+)`/gm)].map(([, code]) => code!),
  );
}

function schemasOf({ parameters, requestBody, responses }: Described): [string, Schema][] {
  const inContent = (where: string, content: Content): [string, Schema][] =>
    Object.entries(content).map(([type, { schema }]) => [`${where} ${type}`, schema]);
  return [
    ...parameters.map(({ name, schema }): [string, Schema] => [name, schema]),
    ...(requestBody ? inContent('body', requestBody.content) : []),
    ...Object.entries(responses).flatMap(([status, { content }]) => inContent(status, content)),
  ];
}

/** The fields of a schema, at any depth, that nobody explains. */
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

/** Compiles with the components beside it, as the document has them. */
function compile(schema: Schema) {
  const ajv = createAjv();
  for (const [name, component] of Object.entries(document.components.schemas)) ajv.addSchema(component, name);
  return ajv.compile(
    JSON.parse(JSON.stringify(schema).replaceAll('"#/components/schemas/', '"')) as Record<string, unknown>,
  );
}

/** Examples and defaults, at any depth, that their own schema refuses. */
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

/** Every object inside a value, itself first. */
function* walk(value: unknown, at = ''): Generator<[string, Schema]> {
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) yield [at, value as Schema];
  for (const [name, inner] of Object.entries(value)) yield* walk(inner, `${at}/${name}`);
}

function resolve(reference: string): unknown {
  const steps = reference.replace(/^#\//, '').split('/');
  return steps.reduce<unknown>((node, step) => (node as Schema | undefined)?.[step], document);
}
