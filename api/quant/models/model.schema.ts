import Type from 'typebox';
import { prefixes } from '#lib/core/prefix.ts';
import { Closed, InstantOf, Nullable, Sha256Of, Uid } from '#lib/core/schema.ts';
import { scopes } from '#lib/core/scope.ts';
import { modelKinds, modelStates } from '#lib/quant/models/runnable-model.ts';

const Text = (description: string, example: string, maxLength = 500) =>
  Type.String({ minLength: 1, maxLength, description, examples: [example] });

export const ModelKeyText = Type.String({
  minLength: 1,
  maxLength: 100,
  description:
    'Key of the model. If a model of the workspace has the same key as a built-in model, the uid of the workspace model is returned instead.',
  examples: ['svc_theme_factor_ridge_v1'],
});
export const Kind = Type.Enum([...modelKinds], {
  description:
    'Kind of the model. `analytic`: a built-in computation. `statistical`: a method that forecasts a series. `prediction` and `generative`: numeric models of the workspace.',
});
export const State = Type.Enum([...modelStates], {
  description:
    'State of the model. `active`: the model has a serving version. `suspended`: approved versions exist, but none is the serving version. `candidate`: no version was approved. `retired`: all versions are retired.',
});
export const Family = Type.String({
  pattern: '^[a-z][a-z0-9_-]{0,63}$',
  description: 'Family of the model, for example `quant`, `smoothing` or `ridge`.',
  examples: ['investment'],
});
const VersionText = Text('Version of the model.', '1.0.0', 50);

/** The members of a model that the list of models and the single model both contain. */
export const modelMembers = {
  key: ModelKeyText,
  kind: Kind,
  title: Text('Display name of the model, or a sentence about its runs.', 'Seals a theme factor model.'),
  family: Family,
  serving_version: Nullable(VersionText, 'The version that runs use. Null if there is no serving version.'),
  state: State,
  registered_model: Text(
    'Key of the registered model that computes the run.',
    'svc_theme_factor_ridge_v1',
    100,
  ),
  runs_at: Type.String({
    pattern: '^/api/v2/',
    description: 'Path of the resources that runs of the model create.',
    examples: ['/api/v2/investment/theme-watch/factors'],
  }),
  scope: Type.Enum([...scopes], {
    description: 'The scope that a run of the model needs in addition to `quant:models:run`.',
  }),
  input_schema: Closed(
    {
      sha256: Sha256Of('SHA-256 of the RFC 8785 form of the JSON Schema of the input.'),
      required: Type.Array(Text('A member.', 'horizon', 100), { description: 'The required members.' }),
      optional: Type.Array(Text('A member.', 'seed', 100), { description: 'The optional members.' }),
    },
    { description: 'The members of the input. `GET /quant/models/{key}` returns the complete JSON Schema.' },
  ),
  output: Closed(
    {
      kind: Text('The kind of the run.', 'investment.theme-factors', 100),
      uid_prefix: Type.String({
        pattern: '^[a-z]{3}$',
        description: 'Prefix of the uids of the runs.',
        examples: ['tfr'],
      }),
      attachments: Type.Array(Text('An attachment.', 'history', 100), {
        description: 'Content that is stored with a run and returned on request.',
      }),
    },
    { description: 'The run that the model creates.' },
  ),
  bounds: Type.Array(
    Closed(
      {
        name: Text('The bounded quantity.', 'time', 100),
        maximum: Type.Number({ description: 'The maximum of the quantity.', examples: [120_000] }),
        unit: Text('The unit of the maximum.', 'ms', 50),
      },
      { description: 'A bound.' },
    ),
    { description: 'The bounds of a run.' },
  ),
  bit_reproducible: Type.Boolean({
    description: 'Whether a replay of a sealed run gives the same bytes on any number of workers.',
  }),
  last_evaluation: Nullable(
    Closed(
      {
        evaluation_uid: Uid(prefixes.modelEvaluation, 'The sealed evaluation.'),
        version: VersionText,
        passed: Type.Boolean({ description: 'Whether the evaluation passed.' }),
        finished_at: InstantOf('When the evaluation was sealed.'),
      },
      { description: 'An evaluation.' },
    ),
    'The latest sealed evaluation. Null for built-in models, and for a model without an evaluation.',
  ),
};

export const RunnableModel = Closed(modelMembers, {
  title: 'RunnableModel',
  description: 'A model that can be run.',
});
