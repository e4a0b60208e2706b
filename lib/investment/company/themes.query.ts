import Type from 'typebox';
import { prefixes } from '#lib/core/prefix.ts';
import { Closed, Nullable, Uid } from '#lib/core/schema.ts';
import { currentRevisions } from '#lib/data/dataset.query.ts';
import { MICRO } from '#lib/data/taxonomy.ts';
import { companyExposures, taxonomyInForce } from '#lib/data/taxonomy.query.ts';
import { SpecificRisk } from '../theme-factors/theme-factors.result.ts';
import { ageDays, Block, defineBlock } from './block.ts';
import { latestSpecificRisk } from './specific-risk.query.ts';
import { Day, Fraction, Text } from './wire.ts';

const THEMES_MAX = 1_000;

const schema = Block(
  {
    version: Text(200, 'The version of the taxonomy in force.', '2020.1'),
    exposures: Type.Array(
      Closed(
        {
          theme: Text(200, 'Key of a theme of the taxonomy.', 'cloud_software'),
          exposure: { ...Fraction('The exposure of the company, above 0 and at most 1.', 0.75) },
        },
        { title: 'CompanyTheme', description: 'The exposure of the company to a theme.' },
      ),
      { minItems: 1, maxItems: THEMES_MAX, description: 'The exposures above 0, by theme.' },
    ),
    specific_risk: Nullable(
      Closed(
        {
          run_uid: Uid(prefixes.themeFactorRun, 'The sealed theme factor run.'),
          as_of: Day('The as-of date of the run.'),
          ...SpecificRisk.properties,
        },
        {
          title: 'CompanySpecificRisk',
          description: 'The risk of the company that the theme factors do not explain.',
        },
      ),
      'The specific risk from a sealed theme factor run: of the last 200 runs, the run with the latest as-of date up to `as_of`. Null if there is no such run, or if the run does not cover the company.',
    ),
  },
  {
    title: 'CompanyThemes',
    description: 'The themes of the company in the taxonomy in force.',
    since: 'the publication of the version',
  },
);

/** The exposures of the company to themes, with its specific risk in the latest sealed theme factor run. */
export const themes = defineBlock({
  scope: null,
  kind: 'taxonomy',
  schema,
  async read(em, company) {
    const { day, symbols } = company;
    const chosen = await taxonomyInForce(em, day, await currentRevisions(em));
    const exposures = chosen ? await companyExposures(em, chosen.id, symbols) : [];
    if (!chosen || exposures.length === 0) return 'never_observed';
    const risk = await latestSpecificRisk(em, { day, symbols });
    return {
      dataset: chosen.dataset,
      known_at: chosen.publishedAt,
      age_days: ageDays(company, chosen.publishedAt),
      version: chosen.version,
      exposures: exposures
        .slice(0, THEMES_MAX)
        .map(({ theme, micro }) => ({ theme, exposure: micro / MICRO })),
      specific_risk: risk ?? null,
    };
  },
});
