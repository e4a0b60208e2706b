import { expect } from 'chai';
import { Value } from 'typebox/value';
import {
  ThemeFactorsRequest,
  ThemeFactorsRequestBody,
} from '#lib/investment/theme-factors/theme-factors.request.ts';
import {
  ThemeFactorsResult,
  ThemeFactorsWarning,
} from '#lib/investment/theme-factors/theme-factors.result.ts';
import { goldenSmall, requestOf } from './synthetic-market.ts';

type Schema = {
  description?: string;
  additionalProperties?: boolean;
  properties?: Record<string, Schema>;
  items?: Schema;
  anyOf?: Schema[];
};

/** Calls `visit` with a schema and each of its nested schemas, together with the path of the schema. */
function walk(schema: Schema, path: string, visit: (schema: Schema, path: string) => void): void {
  visit(schema, path);
  for (const [key, member] of Object.entries(schema.properties ?? {})) walk(member, `${path}/${key}`, visit);
  if (schema.items) walk(schema.items, `${path}/*`, visit);
  schema.anyOf?.forEach((member, i) => walk(member, `${path}|${i}`, visit));
}

describe('the schemas of the theme factor run', () => {
  const all = { ThemeFactorsRequest, ThemeFactorsRequestBody, ThemeFactorsResult, ThemeFactorsWarning };

  for (const [name, schema] of Object.entries(all)) {
    it(`describe every member and reject unknown members in ${name}`, () => {
      walk(schema as Schema, name, ({ properties }, path) => {
        for (const [key, member] of Object.entries(properties ?? {})) {
          const described =
            member.description ?? member.anyOf?.find(({ description }) => description)?.description;
          expect(described, `${path}/${key}`).to.be.a('string').and.not.equal('');
        }
      });
      walk(schema as Schema, name, ({ properties, additionalProperties }, path) => {
        if (properties) expect(additionalProperties, path).to.equal(false);
      });
    });
  }

  const bounds = {
    history_months: [12, 240, 36],
    ridge_lambda: [1e-6, 100, 0.1],
    minimum_symbols_per_factor: [2, 1000, 10],
    max_factors: [1, 60, 24],
    max_symbols: [10, 5000, 500],
  } as const;

  it('have the expected inclusive bounds and defaults', () => {
    for (const [name, [min, max, usual]] of Object.entries(bounds)) {
      const accepts = (value: unknown) => Value.Check(ThemeFactorsRequest, { ...requestOf(), [name]: value });
      expect([accepts(min), accepts(max), accepts(usual)], name).to.deep.equal([true, true, true]);
      expect(
        [accepts(min / 1.0001), accepts(max * 1.0001), accepts('12'), accepts(null)],
        name,
      ).to.deep.equal([false, false, false, false]);
      const member = (ThemeFactorsRequest.properties as Record<string, { default?: unknown }>)[name]!;
      expect(member.default, name).to.equal(usual);
      const inBody = (ThemeFactorsRequestBody.properties as Record<string, { default?: unknown }>)[name]!;
      expect(inBody.default, name).to.equal(usual);
    }
    expect(Value.Check(ThemeFactorsRequest, { ...requestOf(), history_months: 36.5 })).to.equal(false);
  });

  it('accept a request body without members, and reject unknown members', () => {
    expect(Value.Check(ThemeFactorsRequestBody, {})).to.equal(true);
    expect(Value.Check(ThemeFactorsRequestBody, { max_factors: 3 })).to.equal(true);
    expect(Value.Check(ThemeFactorsRequestBody, { lambda: 3 })).to.equal(false);
    expect(Value.Check(ThemeFactorsRequestBody, { max_factors: 0 })).to.equal(false);
    expect(Value.Check(ThemeFactorsRequest, {})).to.equal(false);
  });

  it('accept the golden result, and reject the result with an additional, changed or missing member', () => {
    const { result } = goldenSmall().golden;
    expect(Value.Check(ThemeFactorsResult, result)).to.equal(true);
    expect(Value.Check(ThemeFactorsResult, { ...result, more: 1 })).to.equal(false);
    expect(Value.Check(ThemeFactorsResult, { ...result, model: 'another' })).to.equal(false);
    expect(Value.Check(ThemeFactorsResult, { ...result, factor_covariance: undefined })).to.equal(false);
  });
});
