import type { TObject, TSchema } from 'typebox';
import type { Operation } from '#lib/core/operation.ts';
import type { Components, Json } from './components.ts';

/** Returns the path, query and header parameters of an operation. */
export function parametersOf(operation: Operation, components: Components): Json[] {
  const inPath = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    description: `The ${name} of the resource.`,
    schema: /(^|_)uid$/.test(name!) ? uid : { type: 'string', maxLength: 100 },
  }));
  const query = ((operation.query as TObject | undefined)?.properties ?? {}) as Record<string, TSchema>;
  const inQuery = Object.entries(query).map(([name, schema]) => {
    const { description } = schema as { description?: string };
    return { name, in: 'query', required: false, description, schema: components.describe(schema) };
  });
  return [...inPath, ...inQuery, ...headersOfRequest(operation)];
}

const uid = {
  type: 'string',
  pattern: '^[a-z]{3}_[0-7][0-9A-HJKMNP-TV-Z]{25}$',
  examples: ['tfr_01M7YQ4MHGE6DBC6FJRVDWFN56'],
};

/** Returns the request headers that affect the operation. */
function headersOfRequest({ method, oauth, rpc, accepted, problems }: Operation): Json[] {
  if (oauth) return [];
  if (rpc) return rpcHeaders;
  if (method === 'GET') return [ifNoneMatch];
  return [
    ...(accepted ? [prefer] : []),
    idempotencyKey,
    ...(problems.includes('precondition_failed') ? [ifMatch] : []),
  ];
}

const rpcHeaders = [
  ['MCP-Protocol-Version', 'The protocol revision of the request.', '2026-07-28'],
  ['Mcp-Method', 'From revision 2026-07-28: the `method` of the body.', 'tools/call'],
  [
    'Mcp-Name',
    'From revision 2026-07-28, for a tool call: the name of the tool, as in the body.',
    'workspace_get',
  ],
].map(([name, description, example]) => ({
  name,
  in: 'header',
  required: false,
  description,
  schema: { type: 'string', maxLength: 300, examples: [example] },
}));

const etag = { type: 'string', maxLength: 500, examples: ['"98d5da92974eafbe88a943af42712ba4"'] };

const ifNoneMatch = {
  name: 'If-None-Match',
  in: 'header',
  required: false,
  description:
    'The `ETag` of the representation that the caller has. The answer is 304 if the representation has not changed.',
  schema: etag,
};

const ifMatch = {
  name: 'If-Match',
  in: 'header',
  required: false,
  description:
    'The `ETag` of the resource when it was read. The answer is 412 if the resource has changed since.',
  schema: etag,
};

const prefer = {
  name: 'Prefer',
  in: 'header',
  required: false,
  description:
    '`respond-async` to return at once, or `wait=N` to wait up to N seconds (0 to 60) for the end of the run.',
  schema: { type: 'string', maxLength: 200, examples: ['respond-async'] },
};

const idempotencyKey = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'Idempotency key, 1 to 255 visible ASCII characters. A retry with the same key has no further effect: it returns the first answer, or waits for the same run.',
  schema: {
    type: 'string',
    minLength: 1,
    maxLength: 257,
    examples: ['3f1c9d9e-7c58-4a5e-9d5e-0f7a1f6f2f0b'],
  },
};
