import Type from 'typebox';

/** The version of a model that a caller relies on: as text, or as the number of a version of the workspace's model. */
export const RunVersion = Type.Union(
  [
    Type.String({ pattern: '^[0-9]{1,9}([.][0-9]{1,9}){0,2}$' }),
    Type.Integer({ minimum: 1, maximum: 2_147_483_647 }),
  ],
  {
    description:
      'Version of the model that the caller relies on. The run is refused if this version is not the serving version. Default: the serving version.',
    examples: ['1.0.0'],
  },
);
