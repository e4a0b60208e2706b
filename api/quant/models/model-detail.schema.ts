import Type from 'typebox';
import { prefixes } from '#lib/core/prefix.ts';
import { problems } from '#lib/core/problem.ts';
import { Closed, InstantOf, Nullable, Sha256Of, Uid } from '#lib/core/schema.ts';
import { LqmCard } from '#lib/models/registry/lqm-card.ts';
import { lqmStates } from '#lib/models/registry/lqm.ts';
import { COUNTED_MAX } from '#lib/quant/models/sealed-runs.query.ts';
import { modelMembers } from './model.schema.ts';

const Text = (description: string, example: string) =>
  Type.String({ minLength: 1, maxLength: 2_000, description, examples: [example] });
const JsonSchema = (description: string) =>
  Type.Object({}, { additionalProperties: true, description, examples: [{ type: 'object' }] });
const Who = (description: string) => Text(description, 'per_01K8XQ5W3ZJ6T9R2M4N7P0QABC');

const Version = Closed(
  {
    version: Text('The version.', '1.0.0'),
    state: Type.Enum([...lqmStates], { description: 'State of the version.' }),
    serves: Type.Boolean({ description: 'Whether runs of the model use this version.' }),
    content_hash: Nullable(
      Sha256Of('SHA-256 of the RFC 8785 form of the definition.'),
      'SHA-256 of the RFC 8785 form of the definition. Null for built-in models.',
    ),
    author: Who('The author: the uid of a person. For a built-in model, a department of the maker of Assay.'),
    approved_by: Nullable(
      Who('The person who approved the version.'),
      'The approver, who is never the author. Null if the version is not approved.',
    ),
    approved_at: Nullable(InstantOf('Time of approval.')),
    retired_at: Nullable(InstantOf('Time of retirement.')),
    created_at: InstantOf('Time at which the version was written.'),
  },
  { title: 'RunnableModelVersion', description: 'A version of a model with its approval.' },
);

const Alias = Closed(
  {
    version: Nullable(
      Text('The version that served.', '1.0.0'),
      'The serving version in this period. Null if serving was stopped.',
    ),
    chosen_by: Type.Enum(['platform', 'workspace'], {
      description:
        'Whether the choice applies to every workspace or to this one. The choice of the workspace takes precedence.',
    }),
    since: InstantOf('Start of the period.'),
    until: Nullable(InstantOf('End of the period.'), 'End of the period. Null if the entry is in force.'),
    set_by: Who('The person who made the choice, or a department of the maker of Assay.'),
  },
  { title: 'RunnableModelAlias', description: 'A period in which the alias `active` named a version.' },
);

const Drift = Closed(
  {
    assessment_uid: Uid(prefixes.driftAssessment, 'The newest sealed assessment.'),
    severity: Text('Severity of the drift.', 'none'),
    performance: Text('Performance on the new rows.', 'as_accepted'),
    assessed_at: InstantOf('Time of the assessment.'),
  },
  { description: 'The drift of the serving version.' },
);

export const RunnableModelDetail = Closed(
  {
    ...modelMembers,
    description: Text('The computation of the model.', 'Forecast of a series as a combination of methods.'),
    intended_use: Nullable(Text('Intended use.', 'Scenarios and paths of monthly log returns.')),
    limits: Type.Array(Text('A limit.', 'Returns in a regime are normal.'), {
      description: 'Limits of the model that a user must know.',
    }),
    refusals: Type.Array(Type.Enum(Object.keys(problems), { description: 'A problem code.' }), {
      description: 'The codes with which a run of the model can be refused or fail.',
    }),
    schemas: Closed(
      {
        input: JsonSchema('JSON Schema of `input` of `POST /quant/models/{key}/run`.'),
        output: JsonSchema('JSON Schema of the sealed run.'),
      },
      { description: 'JSON Schemas of the input and the output.' },
    ),
    versions: Type.Array(Version, { maxItems: 200, description: 'The versions, newest first.' }),
    alias_history: Type.Array(Alias, {
      maxItems: 200,
      description: 'The versions that the alias `active` named, newest first.',
    }),
    card: Nullable(
      LqmCard,
      'The card of the serving version, or of the newest version if there is no serving version. Null for built-in models.',
    ),
    drift: Nullable(
      Drift,
      'The newest drift assessment of the version that `card` describes. Null if there is none.',
    ),
    sealed_runs: Type.Integer({
      minimum: 0,
      maximum: COUNTED_MAX,
      description: `Number of sealed runs of the model in this environment. Counting stops at ${COUNTED_MAX}.`,
    }),
  },
  { title: 'RunnableModelDetail', description: 'A model that can be run, with its history.' },
);
