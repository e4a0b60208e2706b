import Type, { type Static } from 'typebox';
import { prefixes } from '#lib/core/prefix.ts';
import { Closed, Sha256Of, Uid } from '#lib/core/schema.ts';
import { LqmVersionNumber, TrainingSet, versionMembers } from '#lib/models/registry/checkpoint.schema.ts';
import { DegreesOfFreedom, Engine } from '#lib/models/scenarios/scenarios.schema.ts';

const regimeWords = ['calm', 'stressed', 'turbulent', 'crisis', 'current', 'ergodic'] as const;
const StartRegime = Type.Enum([...regimeWords], {
  description:
    'Regime of the first month: a regime of the model by name, `current` for the regime probabilities in the last month of its training data, or `ergodic` for the long-run shares. Default: current.',
});
const ModelKey = Type.String({
  pattern: '^[a-z][a-z0-9_]{0,62}$',
  description: 'Key of a numeric model of a generative family.',
  examples: ['equity_regimes'],
});
const kind = Type.Literal('model', { description: 'Returns are drawn from an approved regime model.' });

export const RequestedModel = Closed(
  {
    kind,
    key: ModelKey,
    version: Type.Optional({
      ...LqmVersionNumber,
      description:
        'Version of the model. The run is refused if another version is in use. Default: the version in use.',
    }),
    regime: Type.Optional(StartRegime),
    engine: Type.Optional(Engine),
    degrees_of_freedom: Type.Optional(DegreesOfFreedom),
  },
  {
    title: 'ModelSource',
    description: 'An approved regime model, the regime of the first month, and the engine.',
  },
);
export type RequestedModel = Static<typeof RequestedModel>;

export const ResolvedModel = Closed(
  {
    kind,
    ...versionMembers,
    training_uid: Uid(prefixes.modelTraining, 'The sealed training of the checkpoint.'),
    checkpoint_hash: Sha256Of('Hash of the checkpoint.'),
    regime: StartRegime,
    engine: Type.Optional({ ...Engine, description: 'Sampling engine. Absent for `gaussian`.' }),
    degrees_of_freedom: Type.Optional(DegreesOfFreedom),
    training_set: Type.Optional({
      ...TrainingSet,
      description: 'The training months that samples are drawn from. Absent for a parametric engine.',
    }),
  },
  { description: 'A model.' },
);
export type ResolvedModel = Static<typeof ResolvedModel>;
