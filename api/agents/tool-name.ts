import Type from 'typebox';

export const ToolName = Type.String({
  pattern: '^[a-z][a-z0-9_]{0,63}$',
  description: 'Name of a tool.',
  examples: ['workspace_get'],
});
