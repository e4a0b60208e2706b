import { randomBytes } from 'node:crypto';
import {
  acceptedContent,
  CLIENT_CAPABILITIES_META_KEY,
  createRequestStateCodec,
  fromJsonSchema,
  inputRequired,
  inputResponse,
  type InputRequest,
  type McpServer,
  type ServerContext,
} from '@modelcontextprotocol/server';

/** Encodes state that is sent to the client and is accepted back only if it is unchanged. */
export const requestStates = createRequestStateCodec<{ round: number }>({ key: randomBytes(32) });

const text = (said: string) => ({ content: [{ type: 'text' as const, text: said }] });

/** Returns a form with one field. */
export function ask(message: string, field: string, type: 'string' | 'boolean' = 'string'): InputRequest {
  const properties = { [field]: type === 'string' ? { type } : { type: 'boolean' as const } };
  const requestedSchema = { type: 'object', properties, required: [field] };
  return inputRequired.elicit({ message, requestedSchema } as Parameters<typeof inputRequired.elicit>[0]);
}

const sample = (prompt: string, maxTokens = 100) =>
  inputRequired.createMessage({
    messages: [{ role: 'user', content: { type: 'text', text: prompt } }],
    maxTokens,
  });

/** Registers a tool that requests one value and returns that value. */
function asking(server: McpServer, name: string, key: string, request: () => InputRequest, said = 'It said') {
  server.registerTool(name, { description: 'Asks the client.' }, ({ mcpReq }) => {
    const reported = inputResponse(mcpReq.inputResponses, key);
    if (reported.kind === 'missing') return inputRequired({ inputRequests: { [key]: request() } });
    return text(`${said}: ${JSON.stringify(reported)}`);
  });
}

/** Registers tools that need input from the client before they can answer. */
export function registerInputTools(server: McpServer): void {
  server.registerTool(
    'test_input_required_result_elicitation',
    { description: 'Asks for a name.' },
    ({ mcpReq }) => {
      const name = acceptedContent<{ name: string }>(mcpReq.inputResponses, 'user_name')?.name;
      if (typeof name === 'string') return text(`Hello, ${name}!`);
      return inputRequired({ inputRequests: { user_name: ask('What is your name?', 'name') } });
    },
  );
  asking(server, 'test_input_required_result_sampling', 'capital_question', () =>
    sample('What is the capital of France?'),
  );
  asking(server, 'test_input_required_result_list_roots', 'client_roots', () => inputRequired.listRoots());
  asking(server, 'test_missing_capability', 'sampled', () => sample('Anything?'));
  asking(server, 'test_streaming_elicitation', 'confirm', () => ask('Go on?', 'ok', 'boolean'));
  registerStates(server);
  registerCapabilities(server);
  registerQuestions(server);
}

function registerStates(server: McpServer): void {
  const confirm = () => ask('Please confirm', 'ok', 'boolean');
  for (const name of ['request_state', 'tampered_state']) {
    server.registerTool(
      `test_input_required_result_${name}`,
      { description: 'Keeps state.' },
      async ({ mcpReq }) => {
        if (mcpReq.requestState<{ round: number }>()?.round === 1) return text('state-ok');
        const requestState = await requestStates.mint({ round: 1 });
        return inputRequired({ inputRequests: { confirm: confirm() }, requestState });
      },
    );
  }
  server.registerTool(
    'test_input_required_result_multi_round',
    { description: 'Asks twice.' },
    async ({ mcpReq }) => {
      const round = mcpReq.requestState<{ round: number }>()?.round ?? 0;
      if (round === 2) return text(`Thank you: ${JSON.stringify(mcpReq.inputResponses)}`);
      const questions = [
        { step1: ask('Step 1: What is your name?', 'name') },
        { step2: ask('Step 2: What is your favorite color?', 'color') },
      ];
      const requestState = await requestStates.mint({ round: round + 1 });
      return inputRequired({ inputRequests: { ...questions[round]! }, requestState });
    },
  );
  server.registerTool(
    'test_input_required_result_multiple_inputs',
    { description: 'Asks three things at once.' },
    async ({ mcpReq }) => {
      const keys = ['user_name', 'greeting', 'client_roots'];
      const kinds = keys.map((key) => inputResponse(mcpReq.inputResponses, key).kind);
      if (!kinds.includes('missing')) return text(`Told: ${JSON.stringify(mcpReq.inputResponses)}`);
      return inputRequired({
        inputRequests: {
          user_name: ask('What is your name?', 'name'),
          greeting: sample('Generate a greeting', 50),
          client_roots: inputRequired.listRoots(),
        },
        requestState: await requestStates.mint({ round: 1 }),
      });
    },
  );
}

/** Registers a tool that requests only the inputs that the client supports. */
function registerCapabilities(server: McpServer): void {
  server.registerTool(
    'test_input_required_result_capabilities',
    { description: 'Asks what it may.' },
    ({ mcpReq }: ServerContext) => {
      const held = ((mcpReq.envelope ?? {}) as Record<string, unknown>)[
        CLIENT_CAPABILITIES_META_KEY
      ] as Record<string, unknown>;
      const inputRequests: Record<string, InputRequest> = {
        ...(held['elicitation'] ? { requested: ask('What is your name?', 'name') } : {}),
        ...(held['sampling'] ? { sampled: sample('Anything?') } : {}),
        ...(held['roots'] ? { roots: inputRequired.listRoots() } : {}),
      };
      const isAnswered = Object.keys(mcpReq.inputResponses ?? {}).length > 0;
      return isAnswered || Object.keys(inputRequests).length === 0
        ? text('nothing is missing')
        : inputRequired({ inputRequests });
    },
  );
}

/** Registers tools that send requests to the client while they answer, as earlier revisions allow. */
function registerQuestions(server: McpServer): void {
  const taking = (name: string) =>
    fromJsonSchema<Record<string, string>>({
      type: 'object',
      properties: { [name]: { type: 'string' } },
      required: [name],
    });
  server.registerTool(
    'test_sampling',
    { description: 'Asks the model of the client.', inputSchema: taking('prompt') },
    async ({ prompt }, { mcpReq }) => {
      const { content } = await mcpReq.send({
        method: 'sampling/createMessage',
        params: { messages: [{ role: 'user', content: { type: 'text', text: prompt! } }], maxTokens: 100 },
      });
      return text(`LLM response: ${JSON.stringify(content)}`);
    },
  );
  server.registerTool(
    'test_elicitation',
    { description: 'Asks the user.', inputSchema: taking('message') },
    ({ message }, { mcpReq }) =>
      answered('User response', mcpReq, message!, {
        username: { type: 'string', description: 'The name.' },
        email: { type: 'string', description: 'The address.' },
      }),
  );
  server.registerTool(
    'test_elicitation_sep1034_defaults',
    { description: 'Asks with defaults.' },
    ({ mcpReq }) =>
      answered('Elicitation completed', mcpReq, 'Please review', {
        name: { type: 'string', default: 'John Doe' },
        age: { type: 'integer', default: 30 },
        score: { type: 'number', default: 95.5 },
        status: { type: 'string', enum: ['active', 'inactive', 'pending'], default: 'active' },
        verified: { type: 'boolean', default: true },
      }),
  );
  const titled = ['value1', 'value2', 'value3'].map((value) => ({
    const: value,
    title: `Title of ${value}`,
  }));
  const options = ['option1', 'option2', 'option3'];
  server.registerTool('test_elicitation_sep1330_enums', { description: 'Asks for a choice.' }, ({ mcpReq }) =>
    answered('Elicitation completed', mcpReq, 'Please choose', {
      untitledSingle: { type: 'string', enum: options },
      titledSingle: { type: 'string', oneOf: titled },
      legacyEnum: { type: 'string', enum: ['opt1', 'opt2'], enumNames: ['Option One', 'Option Two'] },
      untitledMulti: { type: 'array', items: { type: 'string', enum: options } },
      titledMulti: { type: 'array', items: { anyOf: titled } },
    }),
  );
}

async function answered(
  said: string,
  mcpReq: ServerContext['mcpReq'],
  message: string,
  properties: Record<string, object>,
) {
  const requestedSchema = { type: 'object' as const, properties, required: [] };
  const { action, content } = await mcpReq.send({
    method: 'elicitation/create',
    params: { message, requestedSchema } as never,
  });
  return text(`${said}: action=${action}, content=${JSON.stringify(content ?? {})}`);
}
